package dev.idempotency.jobs;

import org.junit.jupiter.api.AfterAll;

import dev.idempotency.testing.PostgresServer;

class PostgresJobsIT extends JobsContract {

	private static final PostgresServer postgres = PostgresServer.start();

	@Override
	String[] store() {
		return new String[] { "spring.r2dbc.url: 'r2dbc:postgresql://127.0.0.1:" + postgres.port() + "/postgres'",
				"spring.r2dbc.username: postgres", "idempotency.store: postgres", "idempotency.postgres.timeout: 5s" };
	}

	@AfterAll
	static void stopPostgres() {
		postgres.close();
	}

}
