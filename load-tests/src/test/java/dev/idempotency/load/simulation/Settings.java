package dev.idempotency.load.simulation;

import java.time.Duration;

import dev.idempotency.load.rig.Store;

/**
 * What the command line may say:
 * {@code -Dload.rate=200 -Dload.seconds=300 -Dload.store=tiered}.
 */
final class Settings {

	private Settings() {
	}

	/** Requests that arrive in a second, unless told otherwise. */
	static double rate(double usual) {
		return Double.parseDouble(System.getProperty("load.rate", Double.toString(usual)));
	}

	/** For how long they arrive. */
	static Duration duration(int usualSeconds) {
		return Duration.ofSeconds(Integer.getInteger("load.seconds", usualSeconds));
	}

	/** Where the gateways keep their records. */
	static Store store(Store usual) {
		return Store.named(System.getProperty("load.store", usual.configured()));
	}

	/** Requests that arrive in all. */
	static int requests(double rate, Duration duration) {
		return (int) Math.round(rate * duration.toSeconds());
	}

}
