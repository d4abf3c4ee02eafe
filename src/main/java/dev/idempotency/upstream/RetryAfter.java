package dev.idempotency.upstream;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

import org.jspecify.annotations.Nullable;

/** The header by which a server says when to come again (RFC 9110, section 10.2.3). */
final class RetryAfter {

	private static final int LONGEST_NUMBER = 9;

	private RetryAfter() {
	}

	/**
	 * Reads either of its two forms.
	 * @param value seconds, or an HTTP date
	 * @param clock to count from
	 * @return how long to wait, never negative; {@code null} if it is neither
	 */
	static @Nullable Duration parse(String value, InstantSource clock) {
		String text = value.trim();
		if (!text.isEmpty() && text.length() <= LONGEST_NUMBER && text.chars().allMatch(Character::isDigit)) {
			return Duration.ofSeconds(Long.parseLong(text));
		}
		try {
			ZonedDateTime date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
			Duration wait = Duration.between(clock.instant(), date.toInstant());
			return wait.isNegative() ? Duration.ZERO : wait;
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

}
