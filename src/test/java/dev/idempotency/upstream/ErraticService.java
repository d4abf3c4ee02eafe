package dev.idempotency.upstream;

import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.idempotency.testing.Arrival;
import dev.idempotency.testing.Reply;

/**
 * Charges, and fails in every way a service can: each call of a key by a choice of its
 * own, that only the seed decides.
 */
final class ErraticService {

	private static final Duration LATE = Duration.ofMillis(450);

	private static final Duration NEVER = Duration.ofSeconds(3);

	private final long seed;

	private final boolean honoursKeys;

	private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

	private final Map<String, Integer> effects = new ConcurrentHashMap<>();

	private final Map<String, Integer> counts = new ConcurrentHashMap<>();

	ErraticService(long seed, boolean honoursKeys) {
		this.seed = seed;
		this.honoursKeys = honoursKeys;
	}

	Reply reply(Arrival request) {
		String key = String.valueOf(request.key());
		int call = this.calls.computeIfAbsent(key, (unused) -> new AtomicInteger()).incrementAndGet();
		Fate fate = Fate.of(new Random(this.seed ^ (31L * key.hashCode() + call)).nextInt(100));
		this.counts.merge(fate.name().toLowerCase(java.util.Locale.ROOT), 1, Integer::sum);
		if (fate == Fate.REFUSED) {
			return Reply.json(503, "{}");
		}
		if (fate == Fate.RESET_UNREAD) {
			return Reply.resetUnread();
		}
		if (!this.honoursKeys || !this.effects.containsKey(key)) {
			this.effects.merge(key, 1, Integer::sum);
		}
		Reply answer = Reply.json(201, receipt(key)).header("X-Key", key);
		return switch (fate) {
			case RESET -> Reply.reset();
			case FAILED -> Reply.json(500, "{\"error\":true}");
			case CUT -> answer.cutAfter(5);
			case SILENT -> answer.after(NEVER);
			case LATE -> answer.after(LATE);
			default -> answer;
		};
	}

	private static String receipt(String key) {
		return "{\"charged\":\"" + key + "\"}";
	}

	/** Whether this answer tells what was really done under the key, once. */
	boolean wasDone(String key, String answer) {
		return this.effects.containsKey(key) && answer.equals(receipt(key));
	}

	/** How often something was done, by key. */
	Map<String, Integer> effects() {
		return this.effects;
	}

	Map<String, Integer> counts() {
		return new TreeMap<>(this.counts);
	}

	private enum Fate {

		OK, REFUSED, RESET_UNREAD, RESET, FAILED, CUT, SILENT, LATE;

		static Fate of(int percent) {
			int[] ends = { 60, 70, 74, 80, 86, 91, 94 };
			for (int i = 0; i < ends.length; i++) {
				if (percent < ends[i]) {
					return values()[i];
				}
			}
			return LATE;
		}

	}

}
