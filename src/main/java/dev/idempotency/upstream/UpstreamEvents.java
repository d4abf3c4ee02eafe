package dev.idempotency.upstream;

import dev.idempotency.core.Outcome;
import reactor.util.context.ContextView;

/**
 * What the attempts of a route tell, for meters and logs. Implementations must not block
 * and must not throw.
 *
 * @since 0.1.0
 */
public interface UpstreamEvents {

	/** Listens to nothing. */
	UpstreamEvents NONE = new UpstreamEvents() {
	};

	/**
	 * An attempt begins.
	 * @param number of the attempt, from 1
	 * @param context of the operation
	 * @return watches it to its end
	 */
	default AttemptWatch begun(int number, ContextView context) {
		return AttemptWatch.none(context);
	}

	/** An attempt ended, or was waited for long enough. */
	default void attempted(Outcome outcome) {
	}

	/** An attempt answered after another one had decided; its answer was dropped. */
	default void lateAnswerDropped(Outcome outcome) {
	}

	/** A resend was due but the budget was used up. */
	default void budgetExhausted() {
	}

}
