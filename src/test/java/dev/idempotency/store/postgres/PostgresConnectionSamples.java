package dev.idempotency.store.postgres;

import java.time.Duration;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import org.awaitility.Awaitility;

/** Stores on servers of this machine. */
public final class PostgresConnectionSamples {

	/** For tests in which a slow machine must not look like a fault. */
	public static final PostgresStoreSettings PATIENT = timeout(Duration.ofSeconds(5));

	private PostgresConnectionSamples() {
	}

	public static PostgresStoreSettings timeout(Duration limit) {
		return new PostgresStoreSettings(limit, "idempotency_record", true, 10);
	}

	public static ConnectionFactory factory(int port, Duration limit) {
		return factory("postgres", port, limit);
	}

	public static ConnectionFactory factory(String user, int port, Duration limit) {
		return ConnectionFactories.get(PostgresConnections.tuned(
				ConnectionFactoryOptions.parse("r2dbc:postgresql://" + user + "@127.0.0.1:" + port + "/postgres"),
				limit));
	}

	public static PostgresIdempotencyStore store(int port, PostgresStoreSettings settings) {
		return PostgresIdempotencyStore.create(factory(port, settings.timeout()), settings);
	}

	public static PostgresIdempotencyStore connected(int port, PostgresStoreSettings settings) {
		PostgresIdempotencyStore store = store(port, settings);
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(store::isServing);
		return store;
	}

}
