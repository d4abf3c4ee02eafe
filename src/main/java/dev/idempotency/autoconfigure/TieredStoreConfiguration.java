package dev.idempotency.autoconfigure;

import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.store.tiered.TieredIdempotencyStore;

import org.springframework.beans.factory.ObjectProvider;
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
	TieredIdempotencyStore idempotencyTieredStore(DataRedisConnectionDetails redis,
			ObjectProvider<DataRedisProperties> connection, ConnectionFactory connections, R2dbcProperties r2dbc,
			IdempotencyProperties properties, ObjectProvider<MeterRegistry> registry) {
		Counter degraded = Counter.builder("idempotency.degraded")
			.description("Claims that were made without Redis")
			.register(registry.getIfAvailable(CompositeMeterRegistry::new));
		return new TieredIdempotencyStore(RedisStoreConfiguration.store(redis, connection, properties),
				PostgresStoreConfiguration.store(connections, r2dbc, properties), degraded::increment);
	}

}
