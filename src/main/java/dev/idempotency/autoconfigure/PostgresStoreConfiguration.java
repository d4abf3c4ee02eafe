package dev.idempotency.autoconfigure;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobQueue;
import dev.idempotency.store.postgres.PostgresConnections;
import dev.idempotency.store.postgres.PostgresIdempotencyStore;
import dev.idempotency.store.postgres.PostgresStoreSettings;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.r2dbc.OptionsCapableConnectionFactory;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Records in PostgreSQL. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ PostgresqlConnectionFactory.class, ConnectionPool.class, R2dbcProperties.class })
@ConditionalOnProperty(name = "idempotency.store", havingValue = "postgres")
class PostgresStoreConfiguration {

	@Bean
	@ConditionalOnMissingBean(IdempotencyStore.class)
	PostgresIdempotencyStore idempotencyPostgresStore(ConnectionFactory connections, R2dbcProperties r2dbc,
			IdempotencyProperties properties) {
		return store(connections, r2dbc, properties);
	}

	@Bean
	@ConditionalOnBean(PostgresIdempotencyStore.class)
	@ConditionalOnMissingBean
	JobQueue idempotencyJobQueue(PostgresIdempotencyStore store) {
		return store.jobs();
	}

	@Bean
	@ConditionalOnBean(PostgresIdempotencyStore.class)
	@ConditionalOnMissingBean
	DeadLetters idempotencyDeadLetters(PostgresIdempotencyStore store) {
		return store.deadLetters();
	}

	static PostgresIdempotencyStore store(ConnectionFactory connections, R2dbcProperties r2dbc,
			IdempotencyProperties properties) {
		IdempotencyProperties.PostgresStore postgres = properties.postgres();
		PostgresStoreSettings settings = new PostgresStoreSettings(postgres.timeout(), postgres.table(),
				postgres.initializeSchema(), r2dbc.getPool().getMaxSize());
		return PostgresIdempotencyStore.create(single(connections, settings), settings);
	}

	/** Connections like those of the application, but apart from its pool. */
	private static ConnectionFactory single(ConnectionFactory configured, PostgresStoreSettings settings) {
		OptionsCapableConnectionFactory known = OptionsCapableConnectionFactory.unwrapFrom(configured);
		if (known == null) {
			return (configured instanceof ConnectionPool pool) ? pool.unwrap() : configured;
		}
		ConnectionFactoryOptions options = known.getOptions();
		if (!PostgresConnections.arePostgres(options)) {
			throw new InvalidPolicyException("Setting 'spring.r2dbc.url' leads to "
					+ options.getValue(ConnectionFactoryOptions.DRIVER) + "; accepted: r2dbc:postgresql://…");
		}
		return ConnectionFactories.get(PostgresConnections.tuned(options, settings.timeout()));
	}

}
