package dev.idempotency.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;

import dev.idempotency.core.RecordId;
import dev.idempotency.testing.PostgresServer;

/** Rows as they are seen and written behind the store's back. */
public final class PostgresRows {

	private PostgresRows() {
	}

	public static void plant(PostgresServer postgres, RecordId id, byte[] octets, Duration life) {
		try (Connection connection = postgres.connect(); PreparedStatement statement = connection.prepareStatement("""
				insert into idempotency_record (record_id, owner, state, record, lapses_at, expires_at)
				values (?, substring(? from 5 for 16), 1, ?, now(), now() + ? * interval '1 millisecond')
				on conflict (record_id) do update
					set owner = excluded.owner, record = excluded.record, expires_at = excluded.expires_at""")) {
			statement.setBytes(1, HexFormat.of().parseHex(id.digest()));
			statement.setBytes(2, octets);
			statement.setBytes(3, octets);
			statement.setLong(4, life.toMillis());
			statement.executeUpdate();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** How many rows a record has: none or one, swept or not. */
	public static int count(PostgresServer postgres, RecordId id) {
		return Integer.parseInt(postgres
			.query("select count(*) from idempotency_record where record_id = '\\x" + id.digest() + "'::bytea"));
	}

	/** Removes all records. */
	public static void clear(PostgresServer postgres) {
		postgres.query("truncate idempotency_record");
	}

}
