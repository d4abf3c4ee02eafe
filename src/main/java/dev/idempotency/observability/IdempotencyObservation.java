package dev.idempotency.observability;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * Every span there is, below the span of its request. They are made only where traces are
 * and leave no meters: what is to be counted has meters of its own.
 *
 * @since 0.1.0
 */
public enum IdempotencyObservation implements ObservationDocumentation {

	/**
	 * A claim or a take-over. If it met a record, it links to the trace of the execution
	 * on record.
	 */
	CLAIM("idempotency.claim", SpanTag.STORE, SpanTag.RESULT),
	/** One call of the backend. */
	ATTEMPT("idempotency.attempt", SpanTag.ROUTE, SpanTag.ATTEMPT, SpanTag.RESULT),
	/** An outcome or a release on its way into the store. */
	SETTLE("idempotency.settle", SpanTag.STORE, SpanTag.RESULT);

	private final String observationName;

	private final KeyName[] tags;

	IdempotencyObservation(String observationName, SpanTag... tags) {
		this.observationName = observationName;
		this.tags = tags.clone();
	}

	@Override
	public String getName() {
		return this.observationName;
	}

	@Override
	public String getContextualName() {
		return this.observationName;
	}

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return this.tags.clone();
	}

	/** What spans say. No key, caller or digest is among it. */
	enum SpanTag implements KeyName {

		STORE("idempotency.store"), ROUTE("idempotency.route"), ATTEMPT("idempotency.attempt.number"),
		RESULT("idempotency.result");

		private final String tagName;

		SpanTag(String tagName) {
			this.tagName = tagName;
		}

		@Override
		public String asString() {
			return this.tagName;
		}

	}

}
