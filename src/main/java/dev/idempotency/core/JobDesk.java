package dev.idempotency.core;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.IdempotencyPolicy.StoreFailure;
import dev.idempotency.core.JobQueue.Submission;

/**
 * Takes requests of one route on as jobs: claim and ticket in one step, and an answer
 * before anything is carried out.
 *
 * <p>
 * A key whose record is not that of a job is the engine's business, whatever the client
 * would rather have.
 *
 * @since 0.1.0
 */
public final class JobDesk {

	private static final Duration SOON = Duration.ofSeconds(1);

	private static final Duration FIRST_LOOK = Duration.ofMillis(50);

	private static final Duration LAST_LOOK = Duration.ofSeconds(1);

	private final IdempotencyPolicy policy;

	private final IdempotencyEngine engine;

	private final EngineServices services;

	private final JobServices jobs;

	private final EngineEvents events;

	/**
	 * For one route.
	 * @param policy its rules
	 * @param engine answers what is no job
	 * @param services what all routes of an instance share
	 * @param jobs the same for jobs
	 * @param events told of what happens
	 */
	public JobDesk(IdempotencyPolicy policy, IdempotencyEngine engine, EngineServices services, JobServices jobs,
			EngineEvents events) {
		this.policy = policy;
		this.engine = engine;
		this.services = services;
		this.jobs = jobs;
		this.events = new QuietEvents(events);
	}

	/**
	 * Takes a request on as a job, unless its key is known.
	 * @param request the request; its patience is how long the client waits for the end
	 * @param job the job it would be
	 * @param upstream its backend, should it turn out to be no job
	 * @return the answer
	 */
	public Mono<Answer> submit(KeyedRequest request, Job job, Upstream upstream) {
		long end = this.services.nanoClock().getAsLong() + request.patience().toNanos();
		return Detached.run(Mono.defer(() -> entered(request, job, upstream)))
			.flatMap(answer -> (answer instanceof Answer.Accepted accepted && !request.patience().isZero())
					? await(request, accepted, end, FIRST_LOOK) : Mono.just(answer));
	}

	private Mono<Answer> entered(KeyedRequest request, Job job, Upstream upstream) {
		if (!this.services.operations().enter()) {
			return Mono.just(refused(Problem.SHUTTING_DOWN, Effect.UNKNOWN, true, SOON));
		}
		return claim(request, job, upstream).doFinally(signal -> this.services.operations().leave());
	}

	private Mono<Answer> claim(KeyedRequest request, Job job, Upstream upstream) {
		IdempotencyRecord mine = IdempotencyRecord.queued(request.id(), request.fingerprint(), this.policy.retention(),
				job);
		return Mono.defer(() -> this.jobs.queue().submit(request.id(), mine, this.policy.jobs().maxQueued()))
			.map(Optional::of)
			.onErrorResume(ex -> {
				if (!(ex instanceof StoreUnavailableException)) {
					this.events.defect(request.id(), ex);
				}
				return Mono.just(Optional.empty());
			})
			.flatMap(submission -> submission.map(known -> decide(request, job, upstream, known))
				.orElseGet(() -> Mono.just(unreachable())));
	}

	private Mono<Answer> decide(KeyedRequest request, Job job, Upstream upstream, Submission submission) {
		if (!(submission instanceof Submission.Answered answered)) {
			return full(request, upstream);
		}
		IdempotencyRecord record = answered.claim().recordIfAny();
		if (record != null && isOf(job, record)) {
			this.events.accepted();
			this.jobs.signals().wake(job.route());
			return Mono.just(new Answer.Accepted(record, false));
		}
		return known(request, upstream, answered.claim());
	}

	/**
	 * Where the ticket comes before the claim, a worker may have begun by the time the
	 * claim is answered: its number tells whose job it is, whatever became of it since.
	 */
	private static boolean isOf(Job job, IdempotencyRecord record) {
		return record.job() != null && record.job().id().equals(job.id());
	}

	/** Known keys are served all the same. */
	private Mono<Answer> full(KeyedRequest request, Upstream upstream) {
		return this.services.store()
			.find(request.id())
			.flatMap(claim -> known(request, upstream, claim))
			.defaultIfEmpty(refused(Problem.TOO_BUSY, Effect.NOT_APPLIED, true, SOON))
			.onErrorReturn(StoreUnavailableException.class, unreachable());
	}

	private Mono<Answer> known(KeyedRequest request, Upstream upstream, Claim claim) {
		IdempotencyRecord record = claim.recordIfAny();
		if (record == null || record.job() == null) {
			return this.engine.handle(request, upstream);
		}
		return Mono.just(request.fingerprint().matches(record.fingerprint()) ? new Answer.Accepted(record, true)
				: refused(Problem.KEY_REUSED, Effect.UNKNOWN, false, null));
	}

	/** Waits for the end, woken where the job runs here. */
	private Mono<Answer> await(KeyedRequest request, Answer.Accepted accepted, long end, Duration pause) {
		long left = end - this.services.nanoClock().getAsLong();
		if (accepted.status().isFinal() || left <= 0) {
			return Mono.just(ended(accepted));
		}
		Duration next = (pause.toNanos() < left) ? pause : Duration.ofNanos(left);
		Duration then = (pause.compareTo(LAST_LOOK) < 0) ? pause.multipliedBy(2) : LAST_LOOK;
		return Mono
			.firstWithSignal(this.services.operations().ended(request.id()),
					Mono.delay(next, this.services.scheduler()))
			.then(Mono.defer(() -> this.services.store().find(request.id()).onErrorComplete()))
			.map(claim -> now(accepted, claim))
			.defaultIfEmpty(accepted)
			.flatMap(seen -> await(request, seen, end, then));
	}

	private static Answer.Accepted now(Answer.Accepted before, Claim claim) {
		IdempotencyRecord record = claim.recordIfAny();
		return (record != null && isOf(before.job(), record)) ? new Answer.Accepted(record, before.replayed()) : before;
	}

	/** As the backend answered, if it did. */
	private static Answer ended(Answer.Accepted accepted) {
		StoredResponse response = accepted.record().response();
		if (!accepted.status().isFinal() || response == null || !response.isReplayable()) {
			return accepted;
		}
		return accepted.replayed()
				? new Answer.Replay(response, accepted.record().state() == IdempotencyRecord.State.UNKNOWN)
				: new Answer.InTime(response);
	}

	private Answer unreachable() {
		return (this.policy.storeFailure() == StoreFailure.FORWARD) ? new Answer.Unprotected()
				: refused(Problem.STORE_UNAVAILABLE, Effect.UNKNOWN, true, SOON);
	}

	private static Answer refused(Problem problem, Effect effect, boolean retryable, @Nullable Duration retryAfter) {
		return new Answer.Refused(problem, effect, retryable, retryAfter);
	}

}
