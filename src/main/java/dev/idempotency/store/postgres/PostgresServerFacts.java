package dev.idempotency.store.postgres;

import io.r2dbc.spi.Row;

/**
 * What is known of the server.
 *
 * @param version as the server says it
 * @param synchronousCommit {@code synchronous_commit}
 * @param readOnly whether it takes no writes, as a standby does not
 * @param standbys connected standbys
 * @param synchronousStandbys those of them that commits wait for, as far as the role may
 * see it
 * @param hasTables whether all tables are there
 * @since 0.1.0
 */
public record PostgresServerFacts(String version, String synchronousCommit, boolean readOnly, long standbys,
		long synchronousStandbys, boolean hasTables) {

	static PostgresServerFacts of(Row row) {
		return new PostgresServerFacts(text(row, 0), text(row, 1), Boolean.TRUE.equals(row.get(2, Boolean.class)),
				number(row, 3), number(row, 4), Boolean.TRUE.equals(row.get(5, Boolean.class)));
	}

	/** Whether a commit is on disk when it is acknowledged. */
	public boolean commitsToDisk() {
		return !this.synchronousCommit.equals("off");
	}

	private static String text(Row row, int index) {
		return String.valueOf(row.get(index, String.class));
	}

	private static long number(Row row, int index) {
		Long number = row.get(index, Long.class);
		return (number != null) ? number : 0;
	}

	@Override
	public String toString() {
		return "PostgreSQL " + this.version + " (synchronous_commit " + this.synchronousCommit + ", standbys "
				+ this.standbys + ", synchronous " + this.synchronousStandbys + ")";
	}

}
