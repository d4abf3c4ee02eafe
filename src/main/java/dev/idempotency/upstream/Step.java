package dev.idempotency.upstream;

import java.time.Duration;

import dev.idempotency.core.Outcome;

/**
 * One attempt's outcome and whether another attempt follows.
 *
 * @param outcome how it ended
 * @param resend whether to send again
 * @param pause how long to wait before that
 */
record Step(Outcome outcome, boolean resend, Duration pause) {

	static Step last(Outcome outcome) {
		return new Step(outcome, false, Duration.ZERO);
	}

}
