package dev.idempotency.upstream;

import java.util.function.LongSupplier;

/**
 * Keeps resends a share of recent first sends, so that an outage is not multiplied by
 * those who suffer from it. A floor keeps quiet routes able to resend at all.
 */
final class RetryBudget {

	private static final long SLOT_NANOS = 1_000_000_000L;

	private static final int SLOTS = 10;

	private static final int FLOOR = 10;

	private final double share;

	private final LongSupplier nanoClock;

	private final int[] firstSends = new int[SLOTS];

	private final int[] resends = new int[SLOTS];

	private long slot;

	RetryBudget(double share, LongSupplier nanoClock) {
		this.share = share;
		this.nanoClock = nanoClock;
		this.slot = nanoClock.getAsLong() / SLOT_NANOS;
	}

	synchronized void firstSend() {
		this.firstSends[now()]++;
	}

	/** Whether one more resend is within the budget of the last ten seconds. */
	synchronized boolean tryResend() {
		int now = now();
		if (sum(this.resends) >= FLOOR + (int) (this.share * sum(this.firstSends))) {
			return false;
		}
		this.resends[now]++;
		return true;
	}

	private int now() {
		long current = this.nanoClock.getAsLong() / SLOT_NANOS;
		long passed = Math.min(current - this.slot, SLOTS);
		for (long i = 1; i <= passed; i++) {
			int stale = Math.floorMod(this.slot + i, SLOTS);
			this.firstSends[stale] = 0;
			this.resends[stale] = 0;
		}
		this.slot = current;
		return Math.floorMod(current, SLOTS);
	}

	private static int sum(int[] counts) {
		int sum = 0;
		for (int count : counts) {
			sum += count;
		}
		return sum;
	}

}
