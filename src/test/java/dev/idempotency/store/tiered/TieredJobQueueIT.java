package dev.idempotency.store.tiered;

import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobQueue;
import dev.idempotency.store.JobQueueContract;
import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.RedisServer;

/** Queues and dead letters beside both tiers keep the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TieredJobQueueIT extends JobQueueContract {

	private RedisServer redis;

	private PostgresServer postgres;

	private Tiers tiers;

	@BeforeAll
	void connect() {
		this.redis = RedisServer.start();
		this.postgres = PostgresServer.start();
		this.tiers = Tiers.connected(this.redis.port(), this.postgres.port(), Duration.ofSeconds(5));
	}

	@AfterAll
	void close() {
		this.tiers.close();
		this.postgres.close();
		this.redis.close();
	}

	@Override
	protected IdempotencyStore store() {
		return this.tiers.store();
	}

	@Override
	protected JobQueue queue() {
		return this.tiers.postgres().jobs(this.tiers.store());
	}

	@Override
	protected DeadLetters letters() {
		return this.tiers.postgres().deadLetters();
	}

}
