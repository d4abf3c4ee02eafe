package dev.idempotency.observability;

import java.util.concurrent.TimeUnit;

import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;

import io.micrometer.observation.Observation;

/**
 * Makes the span of a store's step at its end, with the time of its begin: a link can be
 * given to a span only when it is built, and whether there is one is in the answer.
 */
final class StoreStepTracing implements TracingObservationHandler<StoreStep> {

	private final Tracer tracer;

	StoreStepTracing(Tracer tracer) {
		this.tracer = tracer;
	}

	/** Handlers that time what is traced want a context, if only one without a span. */
	@Override
	public void onStart(StoreStep step) {
		getTracingContext(step);
	}

	@Override
	public void onStop(StoreStep step) {
		Span.Builder builder = this.tracer.spanBuilder()
			.name(String.valueOf(step.getContextualName()))
			.startTimestamp(TimeUnit.SECONDS.toNanos(step.begun().getEpochSecond()) + step.begun().getNano(),
					TimeUnit.NANOSECONDS);
		Span parent = getParentSpan(step);
		if (parent != null) {
			builder.setParent(parent.context());
		}
		TraceOrigin origin = step.origin();
		if (origin != null) {
			builder.addLink(new Link(context(origin)));
		}
		step.getAllKeyValues().forEach((pair) -> builder.tag(pair.getKey(), pair.getValue()));
		Span span = builder.start();
		if (step.getError() != null) {
			span.error(step.getError());
		}
		span.end();
	}

	@Override
	public void onError(StoreStep step) {
	}

	@Override
	public void onEvent(Observation.Event event, StoreStep step) {
	}

	private TraceContext context(TraceOrigin origin) {
		return this.tracer.traceContextBuilder()
			.traceId(origin.traceId())
			.spanId(origin.spanId())
			.sampled(true)
			.build();
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof StoreStep;
	}

	@Override
	public Tracer getTracer() {
		return this.tracer;
	}

}
