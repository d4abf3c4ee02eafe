package dev.idempotency.store.postgres;

import dev.idempotency.testing.PostgresSource;
import dev.idempotency.testing.Slow;

/** Queues and dead letters keep the contract on another version too. */
@Slow
class OtherPostgresJobQueueIT extends PostgresJobQueueIT {

	@Override
	PostgresSource source() {
		return PostgresSource.JAR;
	}

}
