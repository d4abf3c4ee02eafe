package dev.idempotency.load.rig;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How a request wants to be answered, told in its query: {@code delay} in milliseconds,
 * {@code size} of the answer in bytes, and {@code refuse=DOWN/PERIOD} in milliseconds for
 * a backend that refuses everything with 503 in the first part of each period and does
 * nothing then.
 *
 * @param delay before the answer
 * @param size of the answer's body in bytes
 * @param down how long of each period it refuses
 * @param period of the refusals
 */
record Wish(Duration delay, int size, Duration down, Duration period) {

	private static final int USUAL_SIZE = 200;

	static Wish of(String uri) {
		int query = uri.indexOf('?');
		if (query < 0) {
			return new Wish(Duration.ZERO, USUAL_SIZE, Duration.ZERO, Duration.ZERO);
		}
		Map<String, String> words = new HashMap<>();
		for (String pair : uri.substring(query + 1).split("&", -1)) {
			int equals = pair.indexOf('=');
			words.put(pair.substring(0, Math.max(equals, 0)), pair.substring(equals + 1));
		}
		String[] refuse = words.getOrDefault("refuse", "0/0").split("/", 2);
		return new Wish(millis(words.getOrDefault("delay", "0")),
				Integer.parseInt(words.getOrDefault("size", Integer.toString(USUAL_SIZE))), millis(refuse[0]),
				millis(refuse[1]));
	}

	boolean refused(long nanoTime) {
		return !this.period.isZero() && Math.floorMod(nanoTime, this.period.toNanos()) < this.down.toNanos();
	}

	private static Duration millis(String number) {
		return Duration.ofMillis(Long.parseLong(number));
	}

}
