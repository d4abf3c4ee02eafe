package dev.idempotency.observability;

import java.util.Locale;

import io.micrometer.common.docs.KeyName;

/**
 * The tags that meters may have. A key, a caller or a path is none.
 *
 * @since 0.1.0
 */
public enum MeterTag implements KeyName {

	/** Id of the route. */
	ROUTE,
	/** What came of it. */
	RESULT,
	/** Name of the store. */
	STORE,
	/** Step of the store. */
	OPERATION,
	/** How far a job is. */
	STATUS;

	/**
	 * Stands for the route of what is counted by a store, which knows of none: one meter
	 * has one set of tags, or Prometheus keeps only the first.
	 */
	public static final String ANY = "*";

	@Override
	public String asString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
