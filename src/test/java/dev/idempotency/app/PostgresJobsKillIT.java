package dev.idempotency.app;

import org.junit.jupiter.api.AfterAll;

import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.Slow;

@Slow
class PostgresJobsKillIT extends JobsKillContract {

	private static final PostgresServer postgres = PostgresServer.start();

	@Override
	String store() {
		return """
				spring.r2dbc: { url: "r2dbc:postgresql://127.0.0.1:%s/postgres", username: postgres }
				idempotency.postgres.timeout: 2s
				idempotency.store: postgres""".formatted(postgres.port());
	}

	@AfterAll
	static void stopStore() {
		postgres.close();
	}

}
