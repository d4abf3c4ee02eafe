package dev.idempotency.core;

import java.time.Duration;

/**
 * The backend of a job: sends once each time it is asked to carry out, since what comes
 * after an attempt is scheduled and not waited for.
 *
 * @since 0.1.0
 */
public interface JobUpstream extends Upstream {

	/**
	 * Whether there is room for another attempt now, as a share of recent first ones.
	 * @param attempts how many there were so far
	 */
	boolean isWithinBudget(int attempts);

	/**
	 * Whether the class of an outcome makes another attempt worth while.
	 * @param outcome how the last one ended, with nothing done
	 */
	boolean isWorthAnother(Outcome.NotApplied outcome);

	/**
	 * What is kept of an answer that left nothing done.
	 * @param answer as the backend gave it
	 */
	StoredResponse forRecord(StoredResponse answer);

	/**
	 * When the next attempt is due.
	 * @param outcome how the last one ended
	 * @param attempts how many there were so far
	 */
	Duration pauseAfter(Outcome outcome, int attempts);

}
