package dev.idempotency.store.tiered;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;

import dev.idempotency.store.postgres.PostgresConnectionSamples;
import dev.idempotency.store.postgres.PostgresIdempotencyStore;
import dev.idempotency.store.redis.RedisConnectionSamples;
import dev.idempotency.store.redis.RedisIdempotencyStore;
import dev.idempotency.store.redis.RedisStoreSettings;

/** One gateway's stores, together and each for itself. */
record Tiers(RedisIdempotencyStore redis, PostgresIdempotencyStore postgres, TieredIdempotencyStore store,
		AtomicInteger degraded) implements AutoCloseable {

	static Tiers connected(int redisPort, int postgresPort, Duration limit) {
		RedisIdempotencyStore redis = RedisIdempotencyStore.create(RedisConnectionSamples.standalone(redisPort),
				"tests", new RedisStoreSettings(limit, 0, "idempotency:"));
		PostgresIdempotencyStore postgres = PostgresConnectionSamples.store(postgresPort,
				PostgresConnectionSamples.timeout(limit));
		AtomicInteger degraded = new AtomicInteger();
		Tiers tiers = new Tiers(redis, postgres, new TieredIdempotencyStore(redis, postgres, degraded::incrementAndGet),
				degraded);
		tiers.awaitServing();
		return tiers;
	}

	void awaitServing() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> this.redis.isServing() && this.postgres.isServing());
	}

	@Override
	public void close() {
		this.store.close();
	}

}
