package dev.idempotency.app;

import org.junit.jupiter.api.AfterAll;

import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Slow;

@Slow
class TieredJobsKillIT extends JobsKillContract {

	private static final RedisServer redis = RedisServer.start();

	private static final PostgresServer postgres = PostgresServer.start();

	@Override
	String store() {
		return """
				spring.data.redis.port: %s
				idempotency.redis.timeout: 2s
				spring.r2dbc: { url: "r2dbc:postgresql://127.0.0.1:%s/postgres", username: postgres }
				idempotency.postgres.timeout: 2s
				idempotency.store: tiered""".formatted(redis.port(), postgres.port());
	}

	@AfterAll
	static void stopStore() {
		postgres.close();
		redis.close();
	}

}
