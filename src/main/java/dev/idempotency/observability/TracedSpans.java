package dev.idempotency.observability;

import java.util.function.Function;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import dev.idempotency.core.Outcome;
import dev.idempotency.observability.IdempotencyObservation.SpanTag;
import dev.idempotency.upstream.AttemptWatch;

/**
 * Spans through Micrometer. They belong to the request whose observation is in the
 * Reactor context; a sign of life, or a write that is tried again, belongs to none.
 *
 * @since 0.1.0
 */
public final class TracedSpans implements Spans {

	/** Where WebFlux puts the observation of a request, and Gateway looks for it. */
	private static final String KEY = "micrometer.observation";

	private static final Logger log = LoggerFactory.getLogger(TracedSpans.class);

	private final ObservationRegistry registry;

	/**
	 * For one application.
	 * @param registry its handlers make the spans
	 */
	public TracedSpans(ObservationRegistry registry) {
		this.registry = registry;
	}

	/**
	 * What makes the spans of a store's steps.
	 * @param tracer of the application
	 * @return to be registered before Micrometer's own handlers
	 */
	public static TracingObservationHandler<?> handler(Tracer tracer) {
		return new StoreStepTracing(tracer);
	}

	@Override
	public <T> Mono<T> around(IdempotencyObservation kind, String store, Mono<T> step,
			Function<@Nullable T, String> word, Function<@Nullable T, @Nullable TraceOrigin> origin) {
		return Mono.deferContextual((context) -> {
			Observation request = context.getOrDefault(KEY, null);
			StoreStep seen = new StoreStep();
			Observation observation = (request != null) ? begun(kind, request, seen, store) : null;
			if (observation == null) {
				return step;
			}
			return step.doOnSuccess((result) -> quietly(() -> {
				seen.pointsTo(origin.apply(result));
				stop(observation, word.apply(result));
			})).doOnError((error) -> quietly(() -> {
				observation.error(error);
				stop(observation, "unavailable");
			}));
		});
	}

	private @Nullable Observation begun(IdempotencyObservation kind, Observation request, StoreStep seen,
			String store) {
		try {
			return kind.observation(this.registry, () -> seen)
				.parentObservation(request)
				.lowCardinalityKeyValue(SpanTag.STORE.withValue(store))
				.start();
		}
		catch (RuntimeException ex) {
			log.warn("A step of the store could not be observed", ex);
			return null;
		}
	}

	@Override
	public AttemptWatch attempt(String route, int number, ContextView context) {
		Observation request = context.getOrDefault(KEY, null);
		Observation observation = (request != null) ? begun(request, route, number) : null;
		return (observation != null) ? new Watch(observation, Context.of(context).put(KEY, observation))
				: AttemptWatch.none(context);
	}

	private @Nullable Observation begun(Observation request, String route, int number) {
		try {
			return IdempotencyObservation.ATTEMPT.observation(this.registry)
				.parentObservation(request)
				.lowCardinalityKeyValue(SpanTag.ROUTE.withValue(route))
				.lowCardinalityKeyValue(SpanTag.ATTEMPT.withValue(String.valueOf(number)))
				.start();
		}
		catch (RuntimeException ex) {
			log.warn("An attempt could not be observed", ex);
			return null;
		}
	}

	@Override
	public @Nullable TraceOrigin current(ContextView context) {
		Observation request = context.getOrDefault(KEY, null);
		TracingObservationHandler.TracingContext traced = (request != null)
				? request.getContextView().get(TracingObservationHandler.TracingContext.class) : null;
		Span span = (traced != null) ? traced.getSpan() : null;
		TraceContext trace = (span != null) ? span.context() : null;
		return (trace != null && Boolean.TRUE.equals(trace.sampled()))
				? new TraceOrigin(trace.traceId(), trace.spanId()) : null;
	}

	private static void stop(Observation observation, String result) {
		observation.lowCardinalityKeyValue(SpanTag.RESULT.withValue(result)).stop();
	}

	/** A claim that was won is not lost because nobody could be told of it. */
	private static void quietly(Runnable word) {
		try {
			word.run();
		}
		catch (RuntimeException ex) {
			log.warn("The end of a step or of an attempt could not be observed", ex);
		}
	}

	/** One attempt under observation. */
	private record Watch(Observation observation, ContextView context) implements AttemptWatch {

		@Override
		public void ended(Outcome outcome) {
			quietly(() -> stop(this.observation, Words.of(outcome)));
		}

	}

}
