package dev.idempotency.autoconfigure;

import java.time.InstantSource;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobQueue;
import dev.idempotency.store.memory.MemoryDeadLetters;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import dev.idempotency.store.memory.MemoryJobQueue;
import dev.idempotency.store.redis.RedisIdempotencyStore;
import dev.idempotency.store.redis.RedisStoreSettings;
import io.lettuce.core.RedisClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The store that {@code idempotency.store} names. An {@link IdempotencyStore} of the
 * application's own takes precedence.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = IdempotencyAutoConfiguration.class,
		afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass(GlobalFilter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(name = "spring.cloud.gateway.server.webflux.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@EnableConfigurationProperties(IdempotencyProperties.class)
public final class IdempotencyStoreAutoConfiguration {

	/** Records in this process. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "idempotency.store", havingValue = "memory", matchIfMissing = true)
	static class Memory {

		@Bean
		@ConditionalOnMissingBean(IdempotencyStore.class)
		MemoryIdempotencyStore idempotencyMemoryStore(IdempotencyProperties properties) {
			return new MemoryIdempotencyStore(properties.memory().maxSize().toBytes(), System::nanoTime);
		}

		@Bean
		@ConditionalOnBean(MemoryIdempotencyStore.class)
		@ConditionalOnMissingBean(JobQueue.class)
		MemoryJobQueue idempotencyJobQueue(MemoryIdempotencyStore store) {
			return new MemoryJobQueue(store, System::nanoTime);
		}

		@Bean
		@ConditionalOnBean(MemoryIdempotencyStore.class)
		@ConditionalOnMissingBean(DeadLetters.class)
		MemoryDeadLetters idempotencyDeadLetters() {
			return new MemoryDeadLetters(InstantSource.system());
		}

	}

	/** Records in Redis. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ RedisClient.class, DataRedisAutoConfiguration.class })
	@ConditionalOnProperty(name = "idempotency.store", havingValue = "redis")
	static class Redis {

		@Bean
		@ConditionalOnMissingBean(IdempotencyStore.class)
		RedisIdempotencyStore idempotencyRedisStore(DataRedisConnectionDetails details,
				IdempotencyProperties properties, Environment environment) {
			IdempotencyProperties.RedisStore redis = properties.redis();
			return RedisIdempotencyStore.create(details, environment.getProperty("spring.data.redis.client-name"),
					new RedisStoreSettings(redis.timeout(), redis.replicas(), redis.keyPrefix()));
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

	}

	/** Redis is wanted but its client is not there. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("io.lettuce.core.RedisClient")
	@ConditionalOnProperty(name = "idempotency.store", havingValue = "redis")
	static class RedisIsMissing {

		@Bean
		@ConditionalOnMissingBean(IdempotencyStore.class)
		IdempotencyStore idempotencyRedisStore() {
			throw new InvalidPolicyException("Setting 'idempotency.store' is redis, which needs "
					+ "org.springframework.boot:spring-boot-starter-data-redis-reactive on the class path");
		}

	}

}
