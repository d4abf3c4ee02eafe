package dev.idempotency.load.rig;

import java.util.Locale;

/** A store of the gateway, named as {@code idempotency.store} names it. */
public enum Store {

	MEMORY, REDIS, POSTGRES, TIERED;

	/** The one of this name, in lower case. */
	public static Store named(String name) {
		return valueOf(name.trim().toUpperCase(Locale.ROOT));
	}

	/** As the configuration has it. */
	public String configured() {
		return name().toLowerCase(Locale.ROOT);
	}

	boolean needsRedis() {
		return this == REDIS || this == TIERED;
	}

	boolean needsPostgres() {
		return this == POSTGRES || this == TIERED;
	}

}
