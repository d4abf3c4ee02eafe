package dev.idempotency.autoconfigure;

import java.time.Duration;
import java.util.Objects;

import io.lettuce.core.RedisClient;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobQueue;
import dev.idempotency.store.redis.RedisClientSettings;
import dev.idempotency.store.redis.RedisIdempotencyStore;
import dev.idempotency.store.redis.RedisStoreSettings;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Records in Redis. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ RedisClient.class, DataRedisConnectionDetails.class })
@ConditionalOnProperty(name = "idempotency.store", havingValue = "redis")
class RedisStoreConfiguration {

	@Bean
	@ConditionalOnMissingBean(IdempotencyStore.class)
	RedisIdempotencyStore idempotencyRedisStore(DataRedisConnectionDetails details,
			ObjectProvider<DataRedisProperties> connection, IdempotencyProperties properties) {
		return store(details, connection, properties);
	}

	@Bean
	@ConditionalOnBean(RedisIdempotencyStore.class)
	@ConditionalOnMissingBean
	JobQueue idempotencyJobQueue(RedisIdempotencyStore store) {
		return store.jobs();
	}

	@Bean
	@ConditionalOnBean(RedisIdempotencyStore.class)
	@ConditionalOnMissingBean
	DeadLetters idempotencyDeadLetters(RedisIdempotencyStore store) {
		return store.deadLetters();
	}

	static RedisIdempotencyStore store(DataRedisConnectionDetails details,
			ObjectProvider<DataRedisProperties> connection, IdempotencyProperties properties) {
		IdempotencyProperties.RedisStore redis = properties.redis();
		return RedisIdempotencyStore.create(details, client(connection.getIfAvailable(DataRedisProperties::new)),
				new RedisStoreSettings(redis.timeout(), redis.replicas(), redis.keyPrefix()));
	}

	/** What the details leave out. */
	static RedisClientSettings client(DataRedisProperties connection) {
		RedisClientSettings defaults = RedisClientSettings.named(connection.getClientName());
		boolean tls = connection.getUrl() != null && connection.getUrl().startsWith("rediss:");
		Duration timeout = Objects.requireNonNullElse(connection.getConnectTimeout(), defaults.connectTimeout());
		return new RedisClientSettings(defaults.clientName(), tls, timeout);
	}

}
