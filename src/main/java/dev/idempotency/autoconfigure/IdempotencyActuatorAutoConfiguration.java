package dev.idempotency.autoconfigure;

import java.time.InstantSource;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobServices;
import dev.idempotency.core.Jobs;
import dev.idempotency.core.Operations;
import dev.idempotency.gateway.ProtectedRoutes;
import dev.idempotency.observability.BypassedEndpoint;
import dev.idempotency.observability.DeadLettersEndpoint;
import dev.idempotency.observability.IdempotencyDigestEndpoint;
import dev.idempotency.observability.IdempotencyEndpoint;
import dev.idempotency.observability.IdempotencyMeter;
import dev.idempotency.observability.JobObserver;
import dev.idempotency.observability.MeterTag;
import dev.idempotency.observability.RouteObservers;
import dev.idempotency.observability.StoreHealthIndicator;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What operators see, where the application has Boot's actuator.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { IdempotencyAutoConfiguration.class, IdempotencyJobsAutoConfiguration.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
public final class IdempotencyActuatorAutoConfiguration {

	@Bean
	@ConditionalOnBean(IdempotencyStore.class)
	@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
	@ConditionalOnAvailableEndpoint
	IdempotencyEndpoint idempotencyEndpoint(ProtectedRoutes routes, IdempotencyStore store, Operations operations,
			RouteObservers seen) {
		return new IdempotencyEndpoint(routes, store, operations, seen, InstantSource.system());
	}

	@Bean
	@ConditionalOnBean(IdempotencyStore.class)
	@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
	@ConditionalOnAvailableEndpoint
	IdempotencyDigestEndpoint idempotencyDigestEndpoint(ProtectedRoutes routes, IdempotencyStore store) {
		return new IdempotencyDigestEndpoint(routes, store);
	}

	@Bean
	@ConditionalOnBean(JobServices.class)
	@ConditionalOnAvailableEndpoint
	DeadLettersEndpoint idempotencyDeadLettersEndpoint(JobServices services, Jobs jobs, JobObserver observer) {
		return new DeadLettersEndpoint(services.letters(), jobs, observer);
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "idempotency.enabled", havingValue = false)
	@ConditionalOnAvailableEndpoint
	BypassedEndpoint bypassedIdempotencyEndpoint(RouteObservers seen) {
		return new BypassedEndpoint(seen);
	}

	/** The store as a component of health; no group has it unless an operator says so. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ReactiveHealthIndicator.class)
	static class StoreHealth {

		@Bean
		@ConditionalOnBean(IdempotencyStore.class)
		@ConditionalOnEnabledHealthIndicator("idempotency-store")
		StoreHealthIndicator idempotencyStoreHealthIndicator(IdempotencyStore store) {
			return new StoreHealthIndicator(store);
		}

		@Bean
		@ConditionalOnBooleanProperty(name = "idempotency.enabled", havingValue = false)
		ReactiveHealthIndicator idempotencyHealthIndicator() {
			return () -> Mono.just(Health.up().withDetail("enabled", false).build());
		}

	}

	/** Gauges of what runs now. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterBinder.class)
	@ConditionalOnBean(Operations.class)
	static class Gauges {

		private static final double MILLIS = 1000;

		@Bean
		MeterBinder idempotencyInFlight(Operations operations) {
			return (registry) -> {
				Gauge.builder(IdempotencyMeter.IN_FLIGHT.meterName(), operations, Operations::count)
					.description(IdempotencyMeter.IN_FLIGHT.description())
					.register(registry);
				Gauge
					.builder(IdempotencyMeter.IN_FLIGHT_OLDEST.meterName(), operations,
							(running) -> running.oldest().toMillis() / MILLIS)
					.description(IdempotencyMeter.IN_FLIGHT_OLDEST.description())
					.baseUnit(IdempotencyMeter.IN_FLIGHT_OLDEST.getBaseUnit())
					.register(registry);
			};
		}

		@Bean
		@ConditionalOnBean(IdempotencyStore.class)
		MeterBinder idempotencyStoreServing(IdempotencyStore store) {
			return (registry) -> Gauge
				.builder(IdempotencyMeter.STORE_SERVING.meterName(), store, (asked) -> asked.status().serving() ? 1 : 0)
				.description(IdempotencyMeter.STORE_SERVING.description())
				.tag(MeterTag.STORE.asString(), store.name())
				.register(registry);
		}

	}

}
