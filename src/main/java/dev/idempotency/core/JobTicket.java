package dev.idempotency.core;

import java.time.Instant;

/**
 * What waits in a queue: the name of a job, which says where its record is. The record
 * alone decides what is to be done; a ticket only reminds somebody to look.
 *
 * @param job the job
 * @param tries how often it was tried so far, where the record does not say
 * @param since when it was first put into the queue, by a gateway's clock
 * @since 0.1.0
 */
public record JobTicket(JobId job, int tries, Instant since) {

	/** The same after another try. */
	public JobTicket triedAgain() {
		return new JobTicket(this.job, this.tries + 1, this.since);
	}

}
