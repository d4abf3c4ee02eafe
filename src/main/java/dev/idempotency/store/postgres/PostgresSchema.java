package dev.idempotency.store.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The table as the database knows it.
 *
 * @param table its name as it stands in statements
 * @param lock number of the advisory lock under which it is created
 * @param sweepLock number of the one under which expired rows are deleted
 */
record PostgresSchema(String table, long lock, long sweepLock) {

	/** The name in the script, and by default. */
	static final String TABLE = "idempotency_record";

	private static final String SCRIPT = "/META-INF/sql/idempotency-postgresql.sql";

	/** Advisory locks are numbers; these are the ones that begin with "IGpg". */
	private static final long LOCKS = 0x4947_7067L << 32;

	private static final int SWEEP = 1 << 31;

	static PostgresSchema of(String name) {
		int number = name.hashCode() & ~SWEEP;
		return new PostgresSchema(quoted(name), LOCKS | number, LOCKS | Integer.toUnsignedLong(number | SWEEP));
	}

	/**
	 * What creates the table: as one message it is one transaction, in which gateways
	 * that start together wait for each other, and the second finds the table there.
	 */
	String creation() {
		String index = quoted(this.table.substring(this.table.lastIndexOf('.') + 1).replace("\"", "") + "_expires_at");
		String script = script().replace("create table ", "create table if not exists ")
			.replace("create index ", "create index if not exists ")
			.replace(TABLE + "_expires_at", index)
			.replaceAll(" " + TABLE + " ", " " + this.table + " ");
		return "select pg_advisory_xact_lock(" + this.lock + ");\n" + script;
	}

	/** Quoted, so that a reserved word is a name like any other. */
	private static String quoted(String name) {
		return '"' + name.replace(".", "\".\"") + '"';
	}

	private static String script() {
		try (InputStream in = PostgresSchema.class.getResourceAsStream(SCRIPT)) {
			if (in == null) {
				throw new IllegalStateException(SCRIPT + " is missing from the class path");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(SCRIPT + " cannot be read", ex);
		}
	}

}
