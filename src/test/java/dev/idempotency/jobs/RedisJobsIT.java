package dev.idempotency.jobs;

import org.junit.jupiter.api.AfterAll;

import dev.idempotency.testing.RedisServer;

class RedisJobsIT extends JobsContract {

	private static final RedisServer redis = RedisServer.start();

	@Override
	String[] store() {
		return new String[] { "spring.data.redis.port: " + redis.port(), "idempotency.store: redis",
				"idempotency.redis.timeout: 2s" };
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

}
