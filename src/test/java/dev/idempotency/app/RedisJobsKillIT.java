package dev.idempotency.app;

import org.junit.jupiter.api.AfterAll;

import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Slow;

@Slow
class RedisJobsKillIT extends JobsKillContract {

	private static final RedisServer redis = RedisServer.start();

	@Override
	String store() {
		return """
				spring.data.redis.port: %s
				idempotency.redis.timeout: 2s
				idempotency.store: redis""".formatted(redis.port());
	}

	@AfterAll
	static void stopStore() {
		redis.close();
	}

}
