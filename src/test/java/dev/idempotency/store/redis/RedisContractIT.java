package dev.idempotency.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.StoreContract;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.RedisSource;

/** The Redis store keeps the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisContractIT extends StoreContract {

	private RedisServer redis;

	private RedisIdempotencyStore store;

	RedisSource source() {
		return RedisSource.first();
	}

	@BeforeAll
	void connect() {
		this.redis = RedisServer.start(source());
		this.store = RedisIdempotencyStore.create(RedisConnectionSamples.standalone(this.redis.port()),
				RedisClientSettings.defaults(), new RedisStoreSettings(Duration.ofSeconds(2), 0, "idempotency:"));
		Awaitility.await().until(this.store::isServing);
	}

	@AfterAll
	void close() {
		this.store.close();
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
	}

}
