package dev.idempotency.jobs;

import java.util.List;

import org.junit.jupiter.api.AfterAll;

import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Slow;

/** Jobs whose records and queues are spread over three masters, for a limited user. */
@Slow
class ClusterJobsIT extends JobsContract {

	private static final List<RedisServer> nodes = RedisServer.cluster();

	@Override
	String[] store() {
		nodes.forEach(DocumentedRedisUser::createOn);
		return new String[] { "spring.data.redis.cluster.nodes: 127.0.0.1:" + nodes.get(0).port(),
				"spring.data.redis.username: " + DocumentedRedisUser.NAME,
				"spring.data.redis.password: " + DocumentedRedisUser.PASSWORD, "idempotency.store: redis",
				"idempotency.redis.timeout: 2s" };
	}

	@AfterAll
	static void stopRedis() {
		nodes.forEach(RedisServer::close);
	}

}
