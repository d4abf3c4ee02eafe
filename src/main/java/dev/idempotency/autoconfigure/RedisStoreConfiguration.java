package dev.idempotency.autoconfigure;

import io.lettuce.core.RedisClient;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobQueue;
import dev.idempotency.store.redis.RedisIdempotencyStore;
import dev.idempotency.store.redis.RedisStoreSettings;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Records in Redis. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ RedisClient.class, DataRedisConnectionDetails.class })
@ConditionalOnProperty(name = "idempotency.store", havingValue = "redis")
class RedisStoreConfiguration {

	@Bean
	@ConditionalOnMissingBean(IdempotencyStore.class)
	RedisIdempotencyStore idempotencyRedisStore(DataRedisConnectionDetails details, IdempotencyProperties properties,
			Environment environment) {
		return store(details, properties, environment);
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

	static RedisIdempotencyStore store(DataRedisConnectionDetails details, IdempotencyProperties properties,
			Environment environment) {
		IdempotencyProperties.RedisStore redis = properties.redis();
		return RedisIdempotencyStore.create(details, environment.getProperty("spring.data.redis.client-name"),
				new RedisStoreSettings(redis.timeout(), redis.replicas(), redis.keyPrefix()));
	}

}
