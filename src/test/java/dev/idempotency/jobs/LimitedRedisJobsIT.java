package dev.idempotency.jobs;

import org.junit.jupiter.api.AfterAll;

import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Slow;

/** Jobs on a Redis where the gateway may only do what the documents ask for. */
@Slow
class LimitedRedisJobsIT extends JobsContract {

	private static final RedisServer redis = RedisServer.start();

	@Override
	String[] store() {
		DocumentedRedisUser.createOn(redis);
		return new String[] { "spring.data.redis.port: " + redis.port(),
				"spring.data.redis.username: " + DocumentedRedisUser.NAME,
				"spring.data.redis.password: " + DocumentedRedisUser.PASSWORD, "idempotency.store: redis",
				"idempotency.redis.timeout: 2s" };
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

}
