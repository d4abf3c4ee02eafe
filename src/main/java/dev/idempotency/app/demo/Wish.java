package dev.idempotency.app.demo;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.MultiValueMap;

/**
 * How a request wants the backend to behave.
 *
 * @param delay how long after the charge the answer comes
 * @param status the status of the answer
 * @param reset whether the connection is reset instead of an answer
 */
record Wish(Duration delay, int status, boolean reset) {

	static final Duration LONGEST_DELAY = Duration.ofMinutes(2);

	private static final Set<String> NAMES = Set.of("delay", "status", "fail");

	/** From the query parameters {@code delay}, {@code status} and {@code fail}. */
	static Wish of(MultiValueMap<String, String> query) {
		for (String name : query.keySet()) {
			if (!NAMES.contains(name)) {
				throw RefusedException
					.badRequest("There is no parameter '" + name + "'. Use delay=2s, status=500 or fail=reset.");
			}
		}
		return new Wish(delay(query.getFirst("delay")), status(query.getFirst("status")),
				reset(query.getFirst("fail")));
	}

	/**
	 * Whether the money moves: for a success, and also for an error after the fact, since
	 * that is what makes a blind retry dangerous. A 4xx says no, and a 503 says not now.
	 */
	boolean charges() {
		return this.reset || this.status / 100 == 2 || (this.status / 100 == 5 && this.status != 503);
	}

	private static Duration delay(@Nullable String text) {
		if (text == null) {
			return Duration.ZERO;
		}
		Duration delay = duration(text);
		if (delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0) {
			throw RefusedException.badRequest("delay has to lie between 0s and " + LONGEST_DELAY.toSeconds() + "s.");
		}
		return delay;
	}

	private static Duration duration(String text) {
		try {
			return DurationStyle.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw RefusedException.badRequest("delay has to be a duration such as 500ms, 2s or 1m.");
		}
	}

	private static int status(@Nullable String text) {
		if (text == null) {
			return 201;
		}
		if (!text.matches("[2-5]\\d\\d")) {
			throw RefusedException.badRequest("status has to be a number from 200 to 599.");
		}
		return Integer.parseInt(text);
	}

	private static boolean reset(@Nullable String text) {
		if (text != null && !text.equals("reset")) {
			throw RefusedException.badRequest("fail knows one value: reset.");
		}
		return text != null;
	}

}
