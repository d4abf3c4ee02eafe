package dev.idempotency.jobs;

import org.junit.jupiter.api.AfterAll;

import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.RedisServer;

class TieredJobsIT extends JobsContract {

	private static final RedisServer redis = RedisServer.start();

	private static final PostgresServer postgres = PostgresServer.start();

	@Override
	String[] store() {
		return new String[] { "spring.data.redis.port: " + redis.port(),
				"spring.r2dbc.url: 'r2dbc:postgresql://127.0.0.1:" + postgres.port() + "/postgres'",
				"spring.r2dbc.username: postgres", "idempotency.store: tiered", "idempotency.redis.timeout: 2s",
				"idempotency.postgres.timeout: 5s" };
	}

	@AfterAll
	static void stopServers() {
		postgres.close();
		redis.close();
	}

}
