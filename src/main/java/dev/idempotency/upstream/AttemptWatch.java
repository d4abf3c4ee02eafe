package dev.idempotency.upstream;

import dev.idempotency.core.Outcome;
import reactor.util.context.ContextView;

/**
 * Accompanies one attempt from its begin to its end, which may come long after its client
 * was answered.
 *
 * @since 0.1.0
 */
public interface AttemptWatch {

	/** What the rest of the filter chain runs in. */
	ContextView context();

	/** The attempt has ended, or its answer has begun to stream. */
	void ended(Outcome outcome);

	/**
	 * Watches nothing.
	 * @param context passed on as it is
	 */
	static AttemptWatch none(ContextView context) {
		return new AttemptWatch() {

			@Override
			public ContextView context() {
				return context;
			}

			@Override
			public void ended(Outcome outcome) {
			}

		};
	}

}
