package dev.idempotency.store.postgres;

import dev.idempotency.testing.PostgresSource;

/** The PostgreSQL store keeps the contract on another version too. */
class OtherPostgresContractIT extends PostgresContractIT {

	@Override
	PostgresSource source() {
		return PostgresSource.JAR;
	}

}
