package dev.idempotency.core;

import java.time.Duration;
import java.util.List;

import reactor.core.publisher.Mono;

/**
 * The queues of jobs, one for each name. What is in them are tickets; the jobs themselves
 * are records of the store.
 *
 * <p>
 * A ticket that was taken and not disposed of comes again after a while: whoever takes it
 * has to look at the record and may find that there is nothing to do. So a ticket may
 * come too often, and is never lost.
 *
 * <p>
 * Errors are those of a store: {@link StoreUnavailableException}, and nothing else, after
 * which the step may have been carried out all the same.
 *
 * @since 0.1.0
 */
public interface JobQueue {

	/**
	 * Claims a key for a job and puts its ticket into the queue of its route. No crash
	 * leaves a claim without a ticket; one may leave a ticket without a claim.
	 * @param id the key's identity
	 * @param claim the queued record, to be written if there is none
	 * @param limit how many tickets the queue may hold
	 * @return what became of it
	 */
	Mono<Submission> submit(RecordId id, IdempotencyRecord claim, int limit);

	/**
	 * Puts a ticket into a queue, however full.
	 * @param queue the queue's name
	 * @param ticket the ticket
	 * @param delay how long it is not to be taken
	 * @return completes when it is in the queue
	 */
	Mono<Void> offer(String queue, JobTicket ticket, Duration delay);

	/**
	 * Takes tickets that are due, the oldest first.
	 * @param queue the queue's name
	 * @param atMost how many
	 * @param hold after how long they come again if nobody has disposed of them; the same
	 * for tickets that were taken before
	 * @return the tickets, possibly none
	 */
	Mono<List<Taken>> take(String queue, int atMost, Duration hold);

	/**
	 * Puts a taken ticket back.
	 * @param queue the queue's name
	 * @param taken the ticket as it was taken
	 * @param instead what is to come in its place
	 * @param delay when
	 * @return completes when it is back
	 */
	Mono<Void> putBack(String queue, Taken taken, JobTicket instead, Duration delay);

	/**
	 * Disposes of a taken ticket.
	 * @param queue the queue's name
	 * @param taken the ticket
	 * @return completes when it is gone
	 */
	Mono<Void> dispose(String queue, Taken taken);

	/**
	 * How many tickets are in a queue, taken and postponed ones among them.
	 * @param queue the queue's name
	 */
	Mono<Long> size(String queue);

	/** What became of a submission. */
	sealed interface Submission {

		/**
		 * The store has answered the claim; the ticket is in the queue if it was won.
		 *
		 * @param claim the store's answer
		 */
		record Answered(Claim claim) implements Submission {
		}

		/** The queue is full, and nothing was claimed. */
		record Full() implements Submission {
		}

	}

	/**
	 * A ticket in the hands of one who works on it.
	 *
	 * @param ticket the ticket
	 * @param handle how the queue knows it
	 */
	record Taken(JobTicket ticket, String handle) {
	}

}
