package dev.idempotency.store.postgres;

import dev.idempotency.testing.PostgresSource;

/** Queues and dead letters keep the contract on another version too. */
class OtherPostgresJobQueueIT extends PostgresJobQueueIT {

	@Override
	PostgresSource source() {
		return PostgresSource.JAR;
	}

}
