package dev.idempotency.autoconfigure;

import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobQueue;
import dev.idempotency.observability.IdempotencyMeter;
import dev.idempotency.observability.MeterTag;
import dev.idempotency.store.postgres.PostgresIdempotencyStore;
import dev.idempotency.store.tiered.TieredIdempotencyStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Records in Redis and PostgreSQL. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ RedisClient.class, DataRedisConnectionDetails.class, PostgresqlConnectionFactory.class,
		ConnectionPool.class, R2dbcProperties.class })
@ConditionalOnProperty(name = "idempotency.store", havingValue = "tiered")
class TieredStoreConfiguration {

	@Bean
	@ConditionalOnMissingBean(IdempotencyStore.class)
	Guard idempotencyGuard(ConnectionFactory connections, R2dbcProperties r2dbc, IdempotencyProperties properties) {
		return new Guard(PostgresStoreConfiguration.store(connections, r2dbc, properties));
	}

	@Bean
	@ConditionalOnBean(Guard.class)
	@ConditionalOnMissingBean(IdempotencyStore.class)
	TieredIdempotencyStore idempotencyTieredStore(DataRedisConnectionDetails redis,
			ObjectProvider<DataRedisProperties> connection, Guard guard, IdempotencyProperties properties,
			ObjectProvider<MeterRegistry> registry) {
		Counter degraded = Counter.builder(IdempotencyMeter.DEGRADED.meterName())
			.description(IdempotencyMeter.DEGRADED.description())
			.tag(MeterTag.ROUTE.asString(), MeterTag.ANY)
			.register(registry.getIfAvailable(CompositeMeterRegistry::new));
		return new TieredIdempotencyStore(RedisStoreConfiguration.store(redis, connection, properties), guard.store(),
				degraded::increment);
	}

	@Bean
	@ConditionalOnBean(TieredIdempotencyStore.class)
	@ConditionalOnMissingBean
	JobQueue idempotencyJobQueue(TieredIdempotencyStore store, Guard guard) {
		return guard.store().jobs(store);
	}

	@Bean
	@ConditionalOnBean(TieredIdempotencyStore.class)
	@ConditionalOnMissingBean
	DeadLetters idempotencyDeadLetters(Guard guard) {
		return guard.store().deadLetters();
	}

	/**
	 * The tier that does not forget; as a bean of its own type it would be a second
	 * store.
	 *
	 * @param store closed by the tiered one
	 */
	record Guard(PostgresIdempotencyStore store) {
	}

}
