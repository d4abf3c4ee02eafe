package dev.idempotency.jobs;

import java.time.Duration;

import dev.idempotency.core.JobTicket;

/** What becomes of a ticket. */
sealed interface Disposal {

	/** It is done with. */
	record Done() implements Disposal {
	}

	/** It comes again by itself, should it have to. */
	record Leave() implements Disposal {
	}

	/**
	 * It is put back.
	 *
	 * @param ticket in its place
	 * @param delay when it is due
	 * @param holdsBack whether nothing else of the queue makes sense before
	 */
	record Again(JobTicket ticket, Duration delay, boolean holdsBack) implements Disposal {
	}

}
