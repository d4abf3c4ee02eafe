package dev.idempotency.store.postgres;

import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.StoreContract;
import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.PostgresSource;

/** The PostgreSQL store keeps the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresContractIT extends StoreContract {

	private PostgresServer postgres;

	private PostgresIdempotencyStore store;

	PostgresSource source() {
		return PostgresSource.first();
	}

	@BeforeAll
	void connect() {
		this.postgres = PostgresServer.start(source());
		this.store = PostgresConnectionSamples.connected(this.postgres.port(), PostgresConnectionSamples.PATIENT);
	}

	@AfterAll
	void close() {
		this.store.close();
		this.postgres.close();
	}

	@Override
	protected IdempotencyStore store() {
		return this.store;
	}

	@Override
	protected void plant(RecordId id, byte[] octets, Duration life) {
		PostgresRows.plant(this.postgres, id, octets, life);
	}

}
