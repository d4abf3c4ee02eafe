package dev.idempotency.store.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The tables as the database knows them.
 *
 * @param table name of the one for records as it stands in statements
 * @param tickets the one for tickets of jobs, which is named after it
 * @param letters the one for dead letters, likewise
 * @param lock number of the advisory lock under which they are created
 * @param sweepLock number of the one under which expired rows are deleted
 */
record PostgresSchema(String table, String tickets, String letters, long lock, long sweepLock) {

	/** The name in the script, and by default. */
	static final String TABLE = "idempotency_record";

	private static final String SCRIPT = "/META-INF/sql/idempotency-postgresql.sql";

	private static final Pattern INDEX = Pattern.compile("create index " + TABLE + "(\\w*) ");

	/** Of a table, in a statement; what is quoted already is none. */
	private static final Pattern NAME = Pattern.compile("(?<= )" + TABLE + "(\\w*)(?= )");

	/** Advisory locks are numbers; these are the ones that begin with "IGpg". */
	private static final long LOCKS = 0x4947_7067L << 32;

	private static final int SWEEP = 1 << 31;

	static PostgresSchema of(String name) {
		int number = name.hashCode() & ~SWEEP;
		return new PostgresSchema(quoted(name), quoted(name + "_tickets"), quoted(name + "_letters"), LOCKS | number,
				LOCKS | Integer.toUnsignedLong(number | SWEEP));
	}

	/**
	 * What creates the tables: as one message it is one transaction, in which gateways
	 * that start together wait for each other, and the second finds the tables there.
	 */
	String creation() {
		String name = this.table.replace("\"", "");
		String script = INDEX.matcher(script())
			.replaceAll((index) -> "create index if not exists " + quoted(local(name) + index.group(1)) + " ");
		script = NAME.matcher(script).replaceAll((table) -> quoted(name + table.group(1)));
		return "select pg_advisory_xact_lock(" + this.lock + ");\n"
				+ script.replace("create table ", "create table if not exists ");
	}

	private static String local(String name) {
		return name.substring(name.lastIndexOf('.') + 1);
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
