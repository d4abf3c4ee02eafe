package dev.idempotency.autoconfigure;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idempotency.observability.IdempotencyObservation;
import dev.idempotency.observability.Spans;
import dev.idempotency.observability.TracedSpans;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/**
 * Spans, where the application has a tracer of Micrometer's.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = IdempotencyAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
				"org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass({ Tracer.class, ObservationRegistry.class })
@ConditionalOnBean(Tracer.class)
public final class IdempotencyTracingAutoConfiguration {

	/** Before Micrometer's own, which would make a span at the begin of a step. */
	private static final int FIRST = 0;

	@Bean
	@ConditionalOnSingleCandidate(ObservationRegistry.class)
	Spans idempotencySpans(Tracer tracer, ObservationRegistry registry) {
		return (tracer != Tracer.NOOP) ? new TracedSpans(registry) : Spans.NONE;
	}

	@Bean
	@Order(FIRST)
	TracingObservationHandler<?> idempotencyTracingObservationHandler(Tracer tracer) {
		return TracedSpans.handler(tracer);
	}

	/** Whoever observes is timed too unless somebody says no. */
	@Bean
	MeterFilter idempotencySpansAreNoMeters() {
		Set<String> names = Arrays.stream(IdempotencyObservation.values())
			.map(IdempotencyObservation::getName)
			.flatMap((name) -> Stream.of(name, name + ".active"))
			.collect(Collectors.toUnmodifiableSet());
		return MeterFilter.deny((meter) -> names.contains(meter.getName()));
	}

}
