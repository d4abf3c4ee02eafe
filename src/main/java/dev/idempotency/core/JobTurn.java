package dev.idempotency.core;

import java.time.Duration;

/**
 * What came of looking after one ticket.
 *
 * @since 0.1.0
 */
public sealed interface JobTurn {

	/**
	 * The job has ended, now or before: what follows an end is to be done.
	 *
	 * @param record its record
	 */
	record Over(IdempotencyRecord record) implements JobTurn {
	}

	/**
	 * The ticket is to come again.
	 *
	 * @param delay when
	 */
	record Later(Duration delay) implements JobTurn {
	}

	/**
	 * The ticket is to come again, and so are others of the route, which cannot be worked
	 * on before.
	 *
	 * @param delay when
	 */
	record HeldBack(Duration delay) implements JobTurn {
	}

	/** Somebody else is at it: the ticket comes again should he fall silent. */
	record Leave() implements JobTurn {
	}

	/** There is no record: not yet, or not any more. */
	record Missing() implements JobTurn {
	}

	/** The record is not that of this job: nothing is to be done for it. */
	record Void() implements JobTurn {
	}

}
