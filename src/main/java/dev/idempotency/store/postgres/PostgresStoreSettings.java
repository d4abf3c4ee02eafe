package dev.idempotency.store.postgres;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * How the PostgreSQL store behaves; where PostgreSQL is comes from elsewhere.
 *
 * @param timeout time limit of each call as a whole: waiting for a connection, all its
 * statements, their commits
 * @param table name of the table, which may have a schema in front of it
 * @param initializeSchema whether the store creates a table that is not there
 * @param connections most connections at a time
 * @since 0.1.0
 */
public record PostgresStoreSettings(Duration timeout, String table, boolean initializeSchema, int connections) {

	/**
	 * A commit waits for the disk and perhaps for a standby: what is a pause of a second
	 * to clients must not be an outage to them.
	 */
	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private static final int CONNECTIONS = 10;

	/** Short enough for the name of an index that begins with it. */
	private static final Pattern TABLE = Pattern
		.compile("([A-Za-z_][A-Za-z0-9_]{0,62}\\.)?[A-Za-z_][A-Za-z0-9_]{0,47}");

	public PostgresStoreSettings {
		if (timeout.toMillis() < 1) {
			throw new IllegalArgumentException("timeout must be at least 1ms");
		}
		if (!isTable(table)) {
			throw new IllegalArgumentException("table must be letters, digits and '_', at most 48");
		}
		if (connections < 1) {
			throw new IllegalArgumentException("there must be a connection");
		}
	}

	/** Whether a text can be the name of the table. */
	public static boolean isTable(String name) {
		return TABLE.matcher(name).matches();
	}

	/** 1 s, {@code idempotency_record}, created on demand, 10 connections. */
	public static PostgresStoreSettings defaults() {
		return new PostgresStoreSettings(TIMEOUT, PostgresSchema.TABLE, true, CONNECTIONS);
	}

}
