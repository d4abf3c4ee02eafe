package dev.idempotency.store.postgres;

import dev.idempotency.testing.PostgresSource;
import dev.idempotency.testing.Slow;

/** The PostgreSQL store keeps the contract on another version too. */
@Slow
class OtherPostgresContractIT extends PostgresContractIT {

	@Override
	PostgresSource source() {
		return PostgresSource.JAR;
	}

}
