package dev.idempotency.observability;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import dev.idempotency.upstream.AttemptWatch;

/**
 * Makes spans, where somebody collects them.
 *
 * @since 0.1.0
 */
public interface Spans {

	/** For a gateway without tracing: costs nothing. */
	Spans NONE = new Spans() {
	};

	/**
	 * A step of a store under a span.
	 * @param <T> what it gives
	 * @param kind of the span
	 * @param store name of the store
	 * @param step the step
	 * @param word for its result
	 * @param origin the trace that its result points to, {@code null} if there is none
	 * @return the same step
	 */
	default <T> Mono<T> around(IdempotencyObservation kind, String store, Mono<T> step,
			Function<@Nullable T, String> word, Function<@Nullable T, @Nullable TraceOrigin> origin) {
		return step;
	}

	/**
	 * An attempt begins.
	 * @param route id of its route
	 * @param number of the attempt, from 1
	 * @param context of the operation
	 * @return watches it
	 */
	default AttemptWatch attempt(String route, int number, ContextView context) {
		return AttemptWatch.none(context);
	}

	/**
	 * The trace of a request, if it is kept.
	 * @param context of the request
	 * @return its trace, {@code null} if there is none that anybody will see
	 */
	default @Nullable TraceOrigin current(ContextView context) {
		return null;
	}

}
