package dev.idempotency.store.redis;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobQueue;
import dev.idempotency.store.JobQueueContract;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.RedisSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Queues and dead letters in Redis keep the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisJobQueueIT extends JobQueueContract {

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
	protected JobQueue queue() {
		return this.store.jobs();
	}

	@Override
	protected DeadLetters letters() {
		return this.store.deadLetters();
	}

	@Test
	void everyKeyExpiresSomeDay() {
		aTicketThatIsPutBackComesWhenItIsDueAndCountsMeanwhile();
		String keys = String.valueOf(this.redis.command("KEYS", "idempotency:*"));
		assertThat(keys).contains("{jobs:");
		for (String key : keys.split("[\\s,\\[\\]]+")) {
			if (key.startsWith("idempotency:")) {
				assertThat(String.valueOf(this.redis.command("PTTL", key))).as(key).doesNotContain("-");
			}
		}
	}

}
