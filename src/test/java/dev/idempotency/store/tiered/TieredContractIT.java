package dev.idempotency.store.tiered;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.StoreContract;
import dev.idempotency.store.postgres.PostgresRows;
import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.RedisServer;

/** Both tiers together keep the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TieredContractIT extends StoreContract {

	private RedisServer redis;

	private PostgresServer postgres;

	private TieredIdempotencyStore store;

	@BeforeAll
	void connect() {
		this.redis = RedisServer.start();
		this.postgres = PostgresServer.start();
		this.store = Tiers.connected(this.redis.port(), this.postgres.port(), Duration.ofSeconds(5)).store();
	}

	@AfterAll
	void close() {
		this.store.close();
		this.postgres.close();
		this.redis.close();
	}

	@Override
	protected IdempotencyStore store() {
		return this.store;
	}

	@Override
	protected void plant(RecordId id, byte[] octets, Duration life) {
		this.redis.command("SET", "idempotency:{" + id.digest() + "}", new String(octets, StandardCharsets.ISO_8859_1),
				"PX", Long.toString(life.toMillis()));
		PostgresRows.plant(this.postgres, id, octets, life);
	}

}
