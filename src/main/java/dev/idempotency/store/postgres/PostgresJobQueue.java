package dev.idempotency.store.postgres;

import java.time.Duration;
import java.util.List;

import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobQueue;
import dev.idempotency.core.JobTicket;
import dev.idempotency.core.RecordId;

/** Queues in PostgreSQL: one table for all of them, and time is the database's. */
final class PostgresJobQueue implements JobQueue {

	private final PostgresTickets tickets;

	private final Submitting submitting;

	PostgresJobQueue(PostgresTickets tickets, Submitting submitting) {
		this.tickets = tickets;
		this.submitting = submitting;
	}

	@Override
	public Mono<Submission> submit(RecordId id, IdempotencyRecord claim, int limit) {
		return Mono.defer(() -> {
			Job job = claim.job();
			return (job != null)
					? this.submitting.submit(id, claim, job.route(), new JobTicket(job.id(), 0, job.created()), limit)
					: Mono.error(new IllegalArgumentException("only a job can be submitted"));
		});
	}

	@Override
	public Mono<Void> offer(String queue, JobTicket ticket, Duration delay) {
		return this.tickets.add(queue, ticket, delay);
	}

	@Override
	public Mono<List<Taken>> take(String queue, int atMost, Duration hold) {
		return this.tickets.take(queue, atMost, hold);
	}

	@Override
	public Mono<Void> putBack(String queue, Taken taken, JobTicket instead, Duration delay) {
		return this.tickets.replace(taken.handle(), instead, delay);
	}

	@Override
	public Mono<Void> dispose(String queue, Taken taken) {
		return this.tickets.remove(taken.handle());
	}

	@Override
	public Mono<Long> size(String queue) {
		return this.tickets.count(queue);
	}

	/** How claim and ticket come together. */
	@FunctionalInterface
	interface Submitting {

		/** See {@link JobQueue#submit}. */
		Mono<Submission> submit(RecordId id, IdempotencyRecord claim, String queue, JobTicket ticket, int limit);

	}

}
