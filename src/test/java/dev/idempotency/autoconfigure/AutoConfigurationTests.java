package dev.idempotency.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableReactiveWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.cloud.gateway.config.GatewayAutoConfiguration;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.Operations;
import dev.idempotency.gateway.IdempotencyGatewayFilterFactory;
import dev.idempotency.gateway.IdempotencyWriteResponseFilter;
import dev.idempotency.observability.BypassedEndpoint;
import dev.idempotency.observability.IdempotencyEndpoint;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import dev.idempotency.store.redis.RedisIdempotencyStore;
import dev.idempotency.testing.ForwardingStore;

import static org.assertj.core.api.Assertions.assertThat;

/** What is there under which condition. */
class AutoConfigurationTests {

	private static final String ROUTE = "spring.cloud.gateway.server.webflux.routes[0].";

	private final ReactiveWebApplicationContextRunner gateway = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, CodecsAutoConfiguration.class,
				WebFluxAutoConfiguration.class, GatewayAutoConfiguration.class, DataRedisAutoConfiguration.class,
				DataRedisReactiveAutoConfiguration.class, IdempotencyStoreAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, IdempotencyActuatorAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=*", ROUTE + "id=pay",
				ROUTE + "uri=http://localhost", ROUTE + "predicates[0]=Path=/pay", ROUTE + "filters[0]=Idempotency");

	@Test
	void aGatewayHasTheFilterAStoreInMemoryAndAnEndpoint() {
		this.gateway.run((context) -> {
			assertProtecting(context);
			assertThat(context).hasSingleBean(MemoryIdempotencyStore.class)
				.hasSingleBean(IdempotencyEndpoint.class)
				.hasSingleBean(OperationsLifecycle.class);
		});
	}

	@Test
	void aGatewayWithoutActuatorIsProtectedToo() {
		this.gateway
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate",
					"org.springframework.boot.health", "org.springframework.boot.micrometer"))
			.run((context) -> {
				assertProtecting(context);
				assertThat(context).doesNotHaveBean(IdempotencyEndpoint.class);
			});
	}

	@Test
	void aGatewayWithoutRedisIsProtectedToo() {
		this.gateway
			.withClassLoader(new FilteredClassLoader("io.lettuce", "org.springframework.data",
					"org.springframework.boot.data.redis"))
			.run(AutoConfigurationTests::assertProtecting);
	}

	@Test
	void aGatewayWithoutSpringSecurityIsProtectedToo() {
		this.gateway.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.run(AutoConfigurationTests::assertProtecting);
	}

	@Test
	void aGatewayWithoutAnyOfThemIsProtectedToo() {
		this.gateway
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate",
					"org.springframework.boot.health", "org.springframework.boot.micrometer", "io.lettuce",
					"org.springframework.data", "org.springframework.boot.data.redis", "org.springframework.security",
					"io.micrometer.prometheusmetrics"))
			.run(AutoConfigurationTests::assertProtecting);
	}

	@Test
	void metersGoToTheRegistryOfTheApplication() {
		this.gateway.withBean(SimpleMeterRegistry.class).run((context) -> {
			assertProtecting(context);
			assertThat(context.getBean(MeterRegistry.class).find("idempotency.requests").tag("route", "pay").counters())
				.isNotEmpty();
		});
	}

	@Test
	void theStoreIsInRedisWhereTheSettingSaysSo() {
		this.gateway.withPropertyValues("idempotency.store=redis").run((context) -> {
			assertProtecting(context);
			assertThat(context).hasSingleBean(RedisIdempotencyStore.class);
		});
	}

	@Test
	void aStoreInRedisWithoutRedisOnTheClassPathStopsTheStartAndSaysWhatIsMissing() {
		this.gateway.withPropertyValues("idempotency.store=redis")
			.withClassLoader(new FilteredClassLoader("io.lettuce", "org.springframework.data",
					"org.springframework.boot.data.redis"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("idempotency.store")
				.hasMessageContaining("spring-boot-starter-data-redis-reactive"));
	}

	@Test
	void aStoreOfTheApplicationsOwnTakesPrecedence() {
		for (String named : new String[] { "memory", "redis" }) {
			this.gateway.withPropertyValues("idempotency.store=" + named)
				.withBean("own", IdempotencyStore.class, OwnStore::new)
				.run((context) -> {
					assertProtecting(context);
					assertThat(context.getBean(IdempotencyStore.class)).isInstanceOf(OwnStore.class);
				});
		}
	}

	@Test
	void theKillSwitchLeavesAFilterThatDoesNothing() {
		this.gateway.withPropertyValues("idempotency.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed()
				.hasSingleBean(IdempotencyGatewayFilterFactory.class)
				.hasSingleBean(BypassedEndpoint.class)
				.doesNotHaveBean(IdempotencyStore.class)
				.doesNotHaveBean(Operations.class)
				.doesNotHaveBean(IdempotencyEndpoint.class);
		});
	}

	@Test
	void aGatewayThatIsSwitchedOffHasNothing() {
		this.gateway.withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(IdempotencyGatewayFilterFactory.class)
				.doesNotHaveBean(IdempotencyStore.class));
	}

	@Test
	void anApplicationWithoutAWebHasNothing() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdempotencyStoreAutoConfiguration.class,
					IdempotencyAutoConfiguration.class, IdempotencyActuatorAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(IdempotencyGatewayFilterFactory.class)
				.doesNotHaveBean(IdempotencyStore.class));
	}

	private static void assertProtecting(AssertableReactiveWebApplicationContext context) {
		assertThat(context).hasNotFailed()
			.hasSingleBean(IdempotencyGatewayFilterFactory.class)
			.hasSingleBean(IdempotencyWriteResponseFilter.class)
			.hasSingleBean(IdempotencyStore.class)
			.hasSingleBean(Operations.class);
	}

	private static final class OwnStore extends ForwardingStore {

		OwnStore() {
			super(new MemoryIdempotencyStore(1 << 20, System::nanoTime));
		}

	}

}
