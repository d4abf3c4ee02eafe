package dev.idempotency.store.chaos;

import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

import dev.idempotency.testing.Arrival;
import dev.idempotency.testing.Reply;

/**
 * A backend that charges each time it is asked and tells how often it did, mostly at
 * once, sometimes only after the lease of the claim would have lapsed; now and then it
 * surely does nothing.
 */
final class Charges {

	private static final int REFUSED = 4;

	private static final int SLOW = 6;

	private static final int USUAL_MILLIS = 80;

	private static final Duration BEYOND_THE_LEASE = Duration.ofMillis(2500);

	private final Map<String, Integer> made = new ConcurrentHashMap<>();

	private final Random random;

	Charges(long seed) {
		this.random = new Random(seed);
	}

	Reply reply(Arrival request) {
		String key = String.valueOf(request.key());
		int fate = this.random.nextInt(100);
		if (fate < REFUSED) {
			return Reply.json(503, "{}");
		}
		int times = this.made.merge(key, 1, Integer::sum);
		return Reply.json(201, receipt(key, times))
			.after((fate < SLOW) ? BEYOND_THE_LEASE : Duration.ofMillis(this.random.nextInt(USUAL_MILLIS)));
	}

	/** Whether this is what was answered when the one charge was made. */
	boolean isReceipt(String key, String text) {
		return text.equals(receipt(key, 1));
	}

	/** Charges by key. */
	Map<String, Integer> made() {
		return this.made;
	}

	private static String receipt(String key, int times) {
		return "{\"key\":\"" + key + "\",\"times\":" + times + "}";
	}

}
