package dev.idempotency.core;

import java.time.Duration;
import java.util.function.LongSupplier;

import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.JobQueue.Submission;

/**
 * What can be done with a job by its name: look at it, take it back, have it sent once
 * more. Errors are those of the store.
 *
 * @since 0.1.0
 */
public final class Jobs {

	/** Long enough for the change of the record that follows. */
	private static final Duration HEAD_START = Duration.ofSeconds(2);

	private final IdempotencyStore store;

	private final JobServices services;

	private final LongSupplier nanoClock;

	/**
	 * Of one instance.
	 * @param store where records are kept
	 * @param services what jobs share
	 * @param nanoClock monotonic time in nanoseconds
	 */
	public Jobs(IdempotencyStore store, JobServices services, LongSupplier nanoClock) {
		this.store = store;
		this.services = services;
		this.nanoClock = nanoClock;
	}

	/**
	 * Looks a job up: one read.
	 * @param id its name
	 * @return its record, empty if there is none; {@link RecordUnreadableException} if it
	 * cannot be understood
	 */
	public Mono<IdempotencyRecord> find(JobId id) {
		return seen(id).mapNotNull(Claim::recordIfAny);
	}

	private Mono<Claim> seen(JobId id) {
		return this.store.find(id.recordId()).doOnNext(claim -> {
			if (claim instanceof Claim.Unreadable unreadable) {
				throw new RecordUnreadableException(unreadable.reason());
			}
		}).filter(claim -> {
			IdempotencyRecord record = claim.recordIfAny();
			Job job = (record != null) ? record.job() : null;
			return job != null && job.id().equals(id);
		});
	}

	/**
	 * Takes a job back that has not begun, or of which surely nothing was done so far.
	 * @param id its name
	 * @param keep for how long it stays cancelled
	 * @return whether it is cancelled now; empty if there is no such job
	 */
	public Mono<Boolean> cancel(JobId id, Duration keep) {
		return seen(id).flatMap(claim -> {
			IdempotencyRecord record = claim.recordIfAny();
			Job job = (record != null) ? record.job() : null;
			if (record == null || job == null || !(claim instanceof Claim.AtRest seen)) {
				return Mono.just(false);
			}
			if (record.state() != State.QUEUED || record.tainted()) {
				return Mono.just(record.state() == State.CANCELLED);
			}
			IdempotencyRecord cancelled = record.underNewToken()
				.moved(State.CANCELLED, keep, record.attempts(), false,
						job.over(this.services.clock().instant(), "cancelled"));
			return this.store.takeOver(id.recordId(), seen, cancelled)
				.map(answer -> answer instanceof Claim.Won)
				.doOnNext(won -> this.services.signals().wake(job.route()));
		});
	}

	/**
	 * Has something sent once more that was given up. Doing so twice is the same as doing
	 * it once.
	 * @param letter the dead letter about it
	 * @return what came of it; {@link RecordUnreadableException} if the request or the
	 * record cannot be understood, with nothing done
	 */
	public Mono<Redrive> redrive(DeadLetter letter) {
		if (!letter.isReadable()) {
			return Mono.error(new RecordUnreadableException("the request in the letter cannot be decrypted here"));
		}
		Mono<Redrive> step = (letter.kind() == DeadLetter.Kind.CALLBACK) ? postAgain(letter) : runAgain(letter);
		return step.flatMap(result -> (result.done() || JobStatus.of(result.record()) != JobStatus.DEAD)
				? this.services.letters().remove(letter).thenReturn(result) : Mono.just(result));
	}

	private Mono<Redrive> postAgain(DeadLetter letter) {
		String queue = JobServices.callbacks(letter.job().route());
		return this.services.queue()
			.offer(queue, ticket(letter), Duration.ZERO)
			.then(Mono.fromRunnable(() -> this.services.signals().wake(queue)))
			.thenReturn(new Redrive(true, letter.record()));
	}

	private Mono<Redrive> runAgain(DeadLetter letter) {
		JobId id = letter.job().id();
		return this.store.find(new RecordId(id.recordId().digest(), letter.record().identityCheck()))
			.flatMap(claim -> runAgain(letter, claim))
			.switchIfEmpty(Mono.defer(() -> submitAgain(letter)));
	}

	private Mono<Redrive> runAgain(DeadLetter letter, Claim claim) {
		if (claim instanceof Claim.Unreadable unreadable) {
			return Mono.error(new RecordUnreadableException("the record cannot be read: " + unreadable.reason()));
		}
		IdempotencyRecord record = claim.recordIfAny();
		Job job = (record != null) ? record.job() : null;
		if (record == null || job == null || !job.id().equals(letter.job().id())) {
			return Mono.just(new Redrive(false, letter.record()));
		}
		if (!(claim instanceof Claim.Open seen) || JobStatus.of(record) != JobStatus.DEAD) {
			return Mono.just(new Redrive(false, record));
		}
		return requeue(letter, seen, queued(letter, record.tainted(), record.attempts()));
	}

	/** The record's time is over: the key is claimed anew. */
	private Mono<Redrive> submitAgain(DeadLetter letter) {
		IdempotencyRecord queued = queued(letter, letter.record().tainted(), letter.attempts());
		RecordId id = new RecordId(letter.job().id().recordId().digest(), queued.identityCheck());
		return this.services.queue()
			.submit(id, queued, Integer.MAX_VALUE)
			.map(submission -> submission instanceof Submission.Answered answered
					&& answered.claim() instanceof Claim.Won)
			.map(won -> new Redrive(won, won ? queued : letter.record()))
			.doOnNext(result -> this.services.signals().wake(letter.job().route()));
	}

	/**
	 * The ticket first, for later: should this instance die in between, whoever takes the
	 * ticket finds the record as it was. If the change took its time, the ticket may have
	 * come too early, and another one follows.
	 */
	private Mono<Redrive> requeue(DeadLetter letter, Claim.Open seen, IdempotencyRecord queued) {
		String route = letter.job().route();
		long begun = this.nanoClock.getAsLong();
		return this.services.queue()
			.offer(route, ticket(letter), HEAD_START)
			.then(Mono.defer(() -> this.store.takeOver(letter.job().id().recordId(), seen, queued)))
			.flatMap(claim -> {
				boolean late = this.nanoClock.getAsLong() - begun > HEAD_START.toNanos() / 2;
				Mono<Void> another = late ? this.services.queue().offer(route, ticket(letter), Duration.ZERO)
						: Mono.empty();
				return another.thenReturn(result(letter, claim));
			});
	}

	private static Redrive result(DeadLetter letter, Claim claim) {
		IdempotencyRecord now = claim.recordIfAny();
		return new Redrive(claim instanceof Claim.Won, (now != null) ? now : letter.record());
	}

	private JobTicket ticket(DeadLetter letter) {
		return new JobTicket(letter.job().id(), 0, this.services.clock().instant());
	}

	/** With all its attempts before it, and the doubt that was left behind. */
	private static IdempotencyRecord queued(DeadLetter letter, boolean tainted, int attempts) {
		IdempotencyRecord record = letter.record();
		Duration life = IdempotencyPolicy.Retention.jobLifetime(record.lifetime());
		return record.underNewToken()
			.withResponse(null)
			.moved(State.QUEUED, life, attempts, tainted, letter.job().redriven(attempts));
	}

	/**
	 * What came of a redrive.
	 *
	 * @param done whether it is sent once more
	 * @param record the record as it is now
	 */
	public record Redrive(boolean done, IdempotencyRecord record) {
	}

}
