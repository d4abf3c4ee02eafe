package dev.idempotency.upstream;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import dev.idempotency.core.StoredResponse;

/** The header by which a server says when to come again (RFC 9110, section 10.2.3). */
final class RetryAfter {

	private static final Pattern SECONDS = Pattern.compile("[0-9]+");

	/** Longer than anybody waits, and far from overflowing in nanoseconds. */
	private static final Duration FOREVER = Duration.ofDays(3650);

	private static final int LONGEST_NUMBER = 8;

	/** The form of today and the two that are to be understood (section 5.6.7). */
	private static final List<DateTimeFormatter> DATES = List.of(DateTimeFormatter.RFC_1123_DATE_TIME,
			date("EEEE, dd-MMM-uu HH:mm:ss 'GMT'"), date("EEE MMM ppd HH:mm:ss uuuu"));

	private RetryAfter() {
	}

	/** What an answer says, {@code null} if nothing that can be understood. */
	static @Nullable Duration of(StoredResponse answer, InstantSource clock) {
		return answer.headers()
			.stream()
			.filter(header -> header.name().equalsIgnoreCase(HttpHeaders.RETRY_AFTER))
			.findFirst()
			.map(header -> parse(header.value(), clock))
			.orElse(null);
	}

	/**
	 * Reads either of its two forms.
	 * @param value seconds, or an HTTP date
	 * @param clock to count from
	 * @return how long to wait, never negative; {@code null} if it is neither
	 */
	static @Nullable Duration parse(String value, InstantSource clock) {
		String text = value.trim();
		if (SECONDS.matcher(text).matches()) {
			return (text.length() <= LONGEST_NUMBER) ? Duration.ofSeconds(Long.parseLong(text)) : FOREVER;
		}
		for (DateTimeFormatter form : DATES) {
			try {
				Duration wait = Duration.between(clock.instant(), ZonedDateTime.parse(text, form));
				return wait.isNegative() ? Duration.ZERO : (wait.compareTo(FOREVER) < 0) ? wait : FOREVER;
			}
			catch (DateTimeException ex) {
				// Perhaps the next form.
			}
		}
		return null;
	}

	private static DateTimeFormatter date(String pattern) {
		return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
	}

}
