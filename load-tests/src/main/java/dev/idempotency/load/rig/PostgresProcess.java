package dev.idempotency.load.rig;

import java.io.IOException;
import java.io.UncheckedIOException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * A real PostgreSQL out of a jar. It waits for no disk: the disk is not what is measured.
 */
public final class PostgresProcess implements AutoCloseable {

	private final EmbeddedPostgres postgres;

	private PostgresProcess(EmbeddedPostgres postgres) {
		this.postgres = postgres;
	}

	/** Starts one on a free port and waits until it answers. */
	public static PostgresProcess start() {
		try {
			return new PostgresProcess(EmbeddedPostgres.builder()
				.setServerConfig("fsync", "off")
				.setServerConfig("max_connections", "100")
				.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Where it listens, on the loopback interface. */
	public int port() {
		return this.postgres.getPort();
	}

	@Override
	public void close() {
		try {
			this.postgres.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
