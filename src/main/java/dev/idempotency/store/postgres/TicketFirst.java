package dev.idempotency.store.postgres;

import reactor.core.publisher.Mono;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobQueue.Submission;
import dev.idempotency.core.JobTicket;
import dev.idempotency.core.RecordId;

/**
 * Writes the ticket, and then the claim into a store that has more than one place. A
 * crash in between, or a claim in doubt, leaves a ticket whose record is looked for in
 * vain; never a record that nobody works on.
 */
final class TicketFirst implements PostgresJobQueue.Submitting {

	private final PostgresTickets tickets;

	private final IdempotencyStore store;

	TicketFirst(PostgresTickets tickets, IdempotencyStore store) {
		this.tickets = tickets;
		this.store = store;
	}

	@Override
	public Mono<Submission> submit(RecordId id, IdempotencyRecord claim, String queue, JobTicket ticket, int limit) {
		return this.tickets.addWithin(queue, ticket, limit)
			.flatMap((handle) -> this.store.claim(id, claim)
				.flatMap((answer) -> needsTicket(answer, ticket) ? Mono.just(answer)
						: this.tickets.remove(handle).onErrorComplete().thenReturn(answer))
				.<Submission>map(Submission.Answered::new))
			.defaultIfEmpty(new Submission.Full());
	}

	/** A claim in doubt may be met by itself, copied from one place to the other. */
	private static boolean needsTicket(Claim answer, JobTicket ticket) {
		IdempotencyRecord record = answer.recordIfAny();
		Job job = (record != null) ? record.job() : null;
		return answer instanceof Claim.Won || job != null && job.id().equals(ticket.job());
	}

}
