package dev.idempotency.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.store.postgres.PostgresIdempotencyStore;
import dev.idempotency.store.tiered.TieredIdempotencyStore;
import dev.idempotency.testing.ForwardingStore;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** When records are in PostgreSQL, alone or behind Redis. */
class DurableStoreAutoConfigurationTests {

	/** Nobody listens there, and no start may depend on it. */
	private static final String URL = "spring.r2dbc.url=r2dbc:postgresql://gateway@127.0.0.1:1/records";

	private final ReactiveWebApplicationContextRunner gateway = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class,
				R2dbcAutoConfiguration.class, IdempotencyStoreAutoConfiguration.class))
		.withPropertyValues(URL, "spring.data.redis.port=1");

	@Test
	void theStoreIsInPostgresWhereTheSettingSaysSo() {
		this.gateway.withPropertyValues("idempotency.store=postgres")
			.run((context) -> assertThat(context).hasSingleBean(IdempotencyStore.class)
				.hasSingleBean(PostgresIdempotencyStore.class));
	}

	@Test
	void theStoreIsInBothWhereTheSettingSaysSo() {
		this.gateway.withPropertyValues("idempotency.store=tiered")
			.run((context) -> assertThat(context).hasSingleBean(IdempotencyStore.class)
				.hasSingleBean(TieredIdempotencyStore.class));
	}

	@Test
	void claimsWithoutRedisAreCounted() {
		this.gateway.withPropertyValues("idempotency.store=tiered")
			.withBean(SimpleMeterRegistry.class)
			.run((context) -> assertThat(context.getBean(MeterRegistry.class).find("idempotency.degraded").counter())
				.isNotNull());
	}

	@ParameterizedTest
	@CsvSource({ "postgres, io.r2dbc, r2dbc-postgresql", "postgres, io.r2dbc.pool, r2dbc-pool",
			"tiered, io.r2dbc, r2dbc-postgresql", "tiered, io.lettuce, spring-boot-starter-data-redis-reactive" })
	void whatIsMissingOnTheClassPathStopsTheStartAndIsNamed(String store, String missing, String named) {
		this.gateway.withPropertyValues("idempotency.store=" + store)
			.withClassLoader(new FilteredClassLoader(missing))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("'idempotency.store' is " + store)
				.hasMessageContaining(named));
	}

	@Test
	void aStoreOfTheApplicationsOwnTakesPrecedence() {
		for (String named : new String[] { "postgres", "tiered" }) {
			this.gateway.withPropertyValues("idempotency.store=" + named)
				.withBean("own", IdempotencyStore.class, OwnStore::new)
				.run((context) -> assertThat(context).getBean(IdempotencyStore.class).isInstanceOf(OwnStore.class));
		}
	}

	@Test
	void aPoolInTheAddressIsTheApplicationsAndNotTheStores() {
		this.gateway
			.withPropertyValues("idempotency.store=postgres",
					"spring.r2dbc.url=r2dbc:pool:postgresql://gateway@127.0.0.1:1/records")
			.run((context) -> assertThat(context).hasSingleBean(PostgresIdempotencyStore.class));
	}

	@Test
	void connectionsOfTheApplicationsOwnMakingAreUsed() {
		this.gateway.withPropertyValues("idempotency.store=postgres").withBean(OwnConnections.class).run((context) -> {
			assertThat(context).hasSingleBean(PostgresIdempotencyStore.class);
			Awaitility.await().until(() -> context.getBean(OwnConnections.class).asked);
		});
	}

	private static final class OwnStore extends ForwardingStore {

		OwnStore() {
			super(null);
		}

	}

	private static final class OwnConnections implements ConnectionFactory {

		private volatile boolean asked;

		@Override
		public Publisher<? extends Connection> create() {
			return Mono.defer(() -> {
				this.asked = true;
				return Mono.error(new IllegalStateException("out of order"));
			});
		}

		@Override
		public ConnectionFactoryMetadata getMetadata() {
			return () -> "PostgreSQL";
		}

	}

}
