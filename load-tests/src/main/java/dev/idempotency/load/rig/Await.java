package dev.idempotency.load.rig;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what another process does. */
public final class Await {

	private static final Duration PAUSE = Duration.ofMillis(50);

	private Await() {
	}

	/**
	 * Looks again and again until it holds.
	 * @param what for the error message
	 * @param limit how long it may take
	 * @param condition what has to hold
	 * @throws IllegalStateException if it does not hold in time
	 */
	public static void until(String what, Duration limit, BooleanSupplier condition) {
		long end = System.nanoTime() + limit.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - end > 0) {
				throw new IllegalStateException("not within " + limit.toSeconds() + " s: " + what);
			}
			pause(PAUSE);
		}
	}

	/** Does nothing for that long. */
	public static void pause(Duration time) {
		try {
			Thread.sleep(time.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted", ex);
		}
	}

}
