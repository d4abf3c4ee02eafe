package dev.idempotency.autoconfigure;

import java.time.InstantSource;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobQueue;
import dev.idempotency.store.memory.MemoryDeadLetters;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import dev.idempotency.store.memory.MemoryJobQueue;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The store that {@code idempotency.store} names. An {@link IdempotencyStore} of the
 * application's own takes precedence.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = IdempotencyAutoConfiguration.class,
		afterName = { "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
				"org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(GlobalFilter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(name = "spring.cloud.gateway.server.webflux.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@EnableConfigurationProperties(IdempotencyProperties.class)
@Import({ RedisStoreConfiguration.class, PostgresStoreConfiguration.class, TieredStoreConfiguration.class })
public final class IdempotencyStoreAutoConfiguration {

	private static final String REDIS_CLIENT = "org.springframework.boot:spring-boot-starter-data-redis-reactive";

	private static final String POSTGRES_CLIENT = "org.springframework.boot:spring-boot-starter-r2dbc, "
			+ "org.postgresql:r2dbc-postgresql and io.r2dbc:r2dbc-pool";

	/**
	 * Reached when all others have passed: the client of the store that was named is not
	 * there.
	 */
	@Bean
	@ConditionalOnMissingBean(IdempotencyStore.class)
	IdempotencyStore idempotencyStore(IdempotencyProperties properties) {
		String needed = switch (properties.store()) {
			case TIERED -> REDIS_CLIENT + ", " + POSTGRES_CLIENT;
			case POSTGRES -> POSTGRES_CLIENT;
			default -> REDIS_CLIENT;
		};
		throw new InvalidPolicyException("Setting 'idempotency.store' is " + Printed.of(properties.store())
				+ ", which needs " + needed + " on the class path");
	}

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

}
