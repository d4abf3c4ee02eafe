package dev.idempotency.store;

import java.time.Duration;
import java.util.List;

import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.JobQueue;
import dev.idempotency.core.JobTicket;
import dev.idempotency.core.RecordId;

/**
 * Encrypts the requests of jobs that a queue writes into records, as {@link PackingStore}
 * does with what goes into a store.
 *
 * @since 0.1.0
 */
public final class PackingJobQueue implements JobQueue {

	private final JobQueue queue;

	private final RecordPacking packing;

	/**
	 * In front of a queue.
	 * @param queue what keeps the tickets
	 * @param packing the form in which records are kept
	 */
	public PackingJobQueue(JobQueue queue, RecordPacking packing) {
		this.queue = queue;
		this.packing = packing;
	}

	@Override
	public Mono<Submission> submit(RecordId id, IdempotencyRecord claim, int limit) {
		return Mono.defer(() -> this.queue.submit(id, this.packing.pack(id, claim), limit))
			.map((submission) -> (submission instanceof Submission.Answered answered)
					? new Submission.Answered(this.packing.unpack(id, answered.claim())) : submission);
	}

	@Override
	public Mono<Void> offer(String queue, JobTicket ticket, Duration delay) {
		return this.queue.offer(queue, ticket, delay);
	}

	@Override
	public Mono<List<Taken>> take(String queue, int atMost, Duration hold) {
		return this.queue.take(queue, atMost, hold);
	}

	@Override
	public Mono<Void> putBack(String queue, Taken taken, JobTicket instead, Duration delay) {
		return this.queue.putBack(queue, taken, instead, delay);
	}

	@Override
	public Mono<Void> dispose(String queue, Taken taken) {
		return this.queue.dispose(queue, taken);
	}

	@Override
	public Mono<Long> size(String queue) {
		return this.queue.size(queue);
	}

}
