package dev.idempotency.upstream;

import java.time.Duration;
import java.time.InstantSource;

import io.github.resilience4j.core.IntervalFunction;
import org.jspecify.annotations.Nullable;

import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyPolicy.OutcomeRules;
import dev.idempotency.core.IdempotencyPolicy.RetryRules;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.StoredResponse;

/**
 * Says of an attempt's outcome whether another attempt may follow, and after how long.
 * Whether there still is time and budget for it is another question.
 */
final class ResendRule {

	private final RetryRules retry;

	private final OutcomeRules outcomes;

	private final InstantSource clock;

	private final IntervalFunction interval;

	ResendRule(IdempotencyPolicy policy, InstantSource clock) {
		this.retry = policy.retry();
		this.outcomes = policy.outcomes();
		this.clock = clock;
		this.interval = IntervalFunction.ofExponentialBackoff(this.retry.backoff(), this.retry.multiplier(),
				this.retry.maxBackoff());
	}

	/**
	 * Whether the class of the outcome permits a resend. Where another one answered in
	 * the backend's place, a resend would only be answered by him again.
	 */
	boolean permits(Outcome outcome) {
		if (outcome instanceof Outcome.NotApplied not) {
			return not.reason() == Reason.UNREACHABLE || (not.reason() == Reason.STATUS && isListed(not.answer()));
		}
		if (outcome instanceof Outcome.Unknown unknown && this.outcomes.backendIdempotent()) {
			return unknown.answer() == null || (unknown.reason() == Reason.STATUS && isListed(unknown.answer()));
		}
		return false;
	}

	private boolean isListed(@Nullable StoredResponse answer) {
		return answer != null && this.retry.statuses().contains(answer.status());
	}

	/**
	 * Whether a backend that honours keys says that an earlier send still runs; to be
	 * asked only after an attempt in doubt.
	 */
	boolean isStillInProgress(Outcome outcome) {
		StoredResponse answer = answerOf(outcome);
		return this.outcomes.backendIdempotent() && answer != null && !(outcome instanceof Outcome.Unknown)
				&& this.outcomes.inProgressOn().contains(answer.status());
	}

	/** The pause before the attempt that follows so many. */
	Duration pauseAfter(Outcome outcome, int sends) {
		Duration pause = Duration.ofMillis(randomised(this.interval.apply(sends)));
		StoredResponse answer = answerOf(outcome);
		Duration asked = (answer != null) ? RetryAfter.of(answer, this.clock) : null;
		return (asked != null && asked.compareTo(pause) > 0) ? asked : pause;
	}

	/**
	 * To both sides of the interval, but never beyond the cap: what would lie there is
	 * mirrored, so that those who have reached it do not all come at the same moment.
	 */
	private long randomised(long millis) {
		if (this.retry.jitter() == 0) {
			return millis;
		}
		long varied = IntervalFunction.ofRandomized(millis, this.retry.jitter()).apply(1);
		long cap = this.retry.maxBackoff().toMillis();
		return (varied <= cap) ? varied : Math.max(0, 2 * cap - varied);
	}

	private static @Nullable StoredResponse answerOf(Outcome outcome) {
		if (outcome instanceof Outcome.Done done) {
			return done.answer();
		}
		if (outcome instanceof Outcome.NotApplied not) {
			return not.answer();
		}
		return (outcome instanceof Outcome.Unknown unknown) ? unknown.answer() : null;
	}

}
