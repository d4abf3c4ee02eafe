package dev.idempotency.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyPolicy.OutcomeRules;
import dev.idempotency.core.IdempotencyPolicy.Reconcile;
import dev.idempotency.core.IdempotencyPolicy.Retention;
import dev.idempotency.core.IdempotencyPolicy.UnknownHandling;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.Outcome.Reason;

/**
 * Carries out the jobs of one route, one attempt at a time: look, take over, attempt,
 * settle. The record decides; whoever holds a ticket may come too late, and then does
 * nothing.
 *
 * <p>
 * An attempt is counted when it is taken over, so that one that kills its worker counts
 * too.
 *
 * @since 0.1.0
 */
public final class JobWork {

	private static final Duration SOON = Duration.ofSeconds(1);

	private static final Duration WHEN_UNREADABLE = Duration.ofMinutes(1);

	private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(5);

	/** For so long beyond {@code settle-after} a backend is asked that knows nothing. */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final String CRASHED = "crashed";

	private static final String ANSWERED = "answered";

	private final IdempotencyPolicy policy;

	private final EngineServices services;

	private final JobServices jobs;

	private final EngineEvents events;

	private final Conclusion conclusion;

	/**
	 * For one route.
	 * @param policy its rules
	 * @param services what all routes of an instance share
	 * @param jobs the same for jobs
	 * @param events told of what happens
	 */
	public JobWork(IdempotencyPolicy policy, EngineServices services, JobServices jobs, EngineEvents events) {
		this.policy = policy;
		this.services = services;
		this.jobs = jobs;
		this.events = new QuietEvents(events);
		this.conclusion = new Conclusion(policy, services, this.events);
	}

	/**
	 * Looks after a job, and makes an attempt if one is due.
	 * @param id the job
	 * @param backend makes its backend
	 * @return what is to become of its ticket; {@link StoreUnavailableException} if
	 * nothing could be found out, with nothing sent
	 */
	public Mono<JobTurn> turn(JobId id, Function<Job, JobUpstream> backend) {
		return Mono.defer(() -> {
			if (!this.services.operations().enter()) {
				return Mono.just(new JobTurn.Later(Duration.ZERO));
			}
			return look(id, backend).doFinally(signal -> this.services.operations().leave());
		});
	}

	private Mono<JobTurn> look(JobId id, Function<Job, JobUpstream> backend) {
		return this.services.store()
			.find(id.recordId())
			.flatMap(claim -> decide(id, claim, backend))
			.defaultIfEmpty(new JobTurn.Missing());
	}

	private Mono<JobTurn> decide(JobId id, Claim claim, Function<Job, JobUpstream> backend) {
		if (claim instanceof Claim.Unreadable unreadable) {
			this.events.unreadable(id.recordId(), unreadable.reason());
			return Mono.just(new JobTurn.Later(WHEN_UNREADABLE));
		}
		IdempotencyRecord record = claim.recordIfAny();
		Job job = (record != null) ? record.job() : null;
		if (record == null || job == null || !job.id().equals(id)) {
			return Mono.just(new JobTurn.Void());
		}
		if (claim instanceof Claim.Running) {
			return Mono.just(new JobTurn.Leave());
		}
		if (claim instanceof Claim.Open open && (open.lapsed() || record.state() == State.QUEUED)) {
			return due(id, open, job, backend);
		}
		return Mono.just(new JobTurn.Over(record));
	}

	private Mono<JobTurn> due(JobId id, Claim.Open seen, Job job, Function<Job, JobUpstream> backend) {
		if (job.request() == null) {
			return giveUp(id, seen.record(), CRASHED, Job.Death.OUTCOME_UNKNOWN);
		}
		JobUpstream upstream = backend.apply(job);
		if (seen.lapsed()) {
			this.events.leaseLapsed(id.recordId());
		}
		boolean doubt = seen.lapsed() || seen.record().tainted();
		if (doubt && handling() == UnknownHandling.RECONCILE) {
			return upstream.reconcile(seen.age()).flatMap(verdict -> believe(id, seen, job, upstream, verdict));
		}
		return seen.lapsed() ? crashed(id, seen, job, upstream) : take(id, seen, job, upstream, doubt);
	}

	/** Whoever took it over last has died, and perhaps had sent it. */
	private Mono<JobTurn> crashed(JobId id, Claim.Open seen, Job job, JobUpstream upstream) {
		if (handling() != UnknownHandling.RETRY) {
			return giveUp(id, seen.record(), CRASHED, Job.Death.OUTCOME_UNKNOWN);
		}
		return isUsedUp(seen.record()) ? giveUp(id, seen.record(), CRASHED, Job.Death.ATTEMPTS_USED_UP)
				: take(id, seen, job, upstream, true);
	}

	private Mono<JobTurn> believe(JobId id, Claim.Open seen, Job job, JobUpstream upstream, Upstream.Verdict verdict) {
		IdempotencyRecord record = seen.record();
		if (verdict.kind() == Upstream.Verdict.Kind.NOT_APPLIED) {
			return isUsedUp(record) ? giveUp(id, record, "not-applied", Job.Death.ATTEMPTS_USED_UP)
					: take(id, seen, job, upstream, false);
		}
		if (verdict.kind() == Upstream.Verdict.Kind.APPLIED) {
			return end(id, record.settled(State.DONE, retention().ttl(), record.attempts(), verdict.record())
				.withJob(job.over(now(), "reconciled")), () -> {
				});
		}
		Reconcile rules = this.policy.outcomes().reconcile();
		Duration patience = (rules != null) ? PATIENCE.plus(rules.settleAfter()) : PATIENCE;
		return (seen.age().compareTo(patience) < 0) ? Mono.just(new JobTurn.Later(BETWEEN_QUESTIONS))
				: giveUp(id, record, job.lastOutcome(), Job.Death.OUTCOME_UNKNOWN);
	}

	/**
	 * Under the owner's own token: should he be alive after all, what he knows replaces
	 * this.
	 */
	private Mono<JobTurn> giveUp(JobId id, IdempotencyRecord record, @Nullable String outcome, Job.Death why) {
		Job job = job(record);
		return end(id, record.settled(State.UNKNOWN, retention().unknownTtl(), record.attempts(), record.response())
			.withJob(job.dead(now(), outcome, why)), () -> {
			});
	}

	private Mono<JobTurn> take(JobId id, Claim.Open seen, Job job, JobUpstream upstream, boolean tainted) {
		IdempotencyRecord record = seen.record();
		if (!upstream.isWithinBudget(spent(record))) {
			return Mono.just(new JobTurn.Later(SOON));
		}
		IdempotencyRecord mine = new IdempotencyRecord(State.RUNNING, OwnerToken.random(), retention().jobLifetime(),
				retention().lease(), record.identityCheck(), record.fingerprint(), tainted, record.attempts() + 1, null,
				job.begun(now()));
		long sent = this.services.nanoClock().getAsLong();
		return this.services.store()
			.takeOver(id.recordId(), seen, mine)
			.flatMap(claim -> (claim instanceof Claim.Won won) ? attempt(id, won.record(), sent, upstream)
					: Mono.just(new JobTurn.Leave()));
	}

	private Mono<JobTurn> attempt(JobId id, IdempotencyRecord claim, long sent, JobUpstream upstream) {
		Lease lease = this.services.leases().keep(id.recordId(), claim, sent);
		this.services.operations().begin(lease);
		return Mono.defer(() -> upstream.carryOut(lease))
			.onErrorResume(ex -> Mono.just(this.conclusion.ofDefect(lease, ex)))
			.switchIfEmpty(Mono.fromSupplier(() -> this.conclusion.ofSilence(lease)))
			.flatMap(outcome -> conclude(lease, upstream, outcome));
	}

	private Mono<JobTurn> conclude(Lease lease, JobUpstream upstream, Outcome outcome) {
		if (outcome instanceof Outcome.Streaming streaming) {
			return drained(lease, streaming).flatMap(end -> conclude(lease, upstream, end));
		}
		if (outcome instanceof Outcome.Unknown unknown && unknown.late() != null) {
			return this.conclusion.late(lease, unknown.late()).flatMap(end -> conclude(lease, upstream, end));
		}
		if (outcome instanceof Outcome.NotApplied not) {
			return notApplied(lease, upstream, not);
		}
		this.events.ended(lease.id(), outcome);
		IdempotencyRecord claim = lease.claim();
		if (outcome instanceof Outcome.Done done) {
			return end(lease, claim.settled(State.DONE, retention().ttl(), claim.attempts(), done.record())
				.withJob(job(claim).over(now(), ANSWERED)));
		}
		return inDoubt(lease, upstream, (Outcome.Unknown) outcome);
	}

	/** Nobody listens: what streams is read for its end. */
	private Mono<Outcome> drained(Lease lease, Outcome.Streaming streaming) {
		Mono<Outcome> end = this.conclusion.last(lease, streaming.end()).cache();
		end.subscribe();
		return streaming.body().then().onErrorComplete().then(end);
	}

	private Mono<JobTurn> notApplied(Lease lease, JobUpstream upstream, Outcome.NotApplied outcome) {
		IdempotencyRecord claim = lease.claim();
		if (outcome.attempts() == 0) {
			Duration delay = (outcome.retryAfter() != null) ? outcome.retryAfter() : heldBack(outcome.reason());
			return again(lease, claim.attempts() - 1, claim.tainted(), job(claim).lastOutcome(),
					new JobTurn.HeldBack(delay));
		}
		boolean another = upstream.isWorthAnother(outcome);
		if (another && !isUsedUp(claim)) {
			return again(lease, claim.attempts(), claim.tainted(), word(outcome.reason()),
					new JobTurn.Later(upstream.pauseAfter(outcome, spent(claim))));
		}
		this.events.ended(lease.id(), outcome);
		StoredResponse answer = (outcome.answer() != null) ? upstream.forRecord(outcome.answer()) : null;
		boolean refused = !another && answer != null && answer.status() >= 400 && answer.status() < 500;
		Job ended = refused ? job(claim).over(now(), ANSWERED)
				: job(claim).dead(now(), word(outcome.reason()), Job.Death.ATTEMPTS_USED_UP);
		return end(lease, claim.moved(State.FAILED, retention().ttl(), claim.attempts(), claim.tainted(), ended)
			.withResponse(answer));
	}

	private static Duration heldBack(Reason reason) {
		return (reason == Reason.SHUTTING_DOWN) ? Duration.ZERO : SOON;
	}

	private Mono<JobTurn> inDoubt(Lease lease, JobUpstream upstream, Outcome.Unknown outcome) {
		IdempotencyRecord claim = lease.claim();
		if (handling() == UnknownHandling.RECONCILE) {
			return again(lease, claim.attempts(), true, word(outcome.reason()), new JobTurn.Later(SOON));
		}
		boolean retry = handling() == UnknownHandling.RETRY;
		if (retry && !isUsedUp(claim)) {
			return again(lease, claim.attempts(), true, word(outcome.reason()),
					new JobTurn.Later(upstream.pauseAfter(outcome, spent(claim))));
		}
		Job.Death why = retry ? Job.Death.ATTEMPTS_USED_UP : Job.Death.OUTCOME_UNKNOWN;
		return end(lease, claim.settled(State.UNKNOWN, retention().unknownTtl(), claim.attempts(), outcome.record())
			.withJob(job(claim).dead(now(), word(outcome.reason()), why)));
	}

	/** Back into the queue: the record first, since the ticket is still in our hands. */
	private Mono<JobTurn> again(Lease lease, int attempts, boolean tainted, @Nullable String outcome, JobTurn next) {
		IdempotencyRecord claim = lease.claim();
		IdempotencyRecord queued = claim.moved(State.QUEUED, retention().jobLifetime(), attempts, tainted,
				job(claim).again(outcome));
		return settle(lease.id(), queued, () -> over(lease), next);
	}

	private Mono<JobTurn> end(Lease lease, IdempotencyRecord record) {
		return settle(lease.id(), record, () -> over(lease), new JobTurn.Over(record));
	}

	private Mono<JobTurn> end(JobId id, IdempotencyRecord record, Runnable whenOver) {
		return settle(id.recordId(), record, whenOver, new JobTurn.Over(record));
	}

	/** What is not yet in the store must not be followed by anything. */
	private Mono<JobTurn> settle(RecordId id, IdempotencyRecord record, Runnable whenOver, JobTurn next) {
		return this.services.settlements()
			.trySettle(id, record, this.events, whenOver)
			.map(written -> written.filter(ownership -> ownership == Ownership.OURS).isPresent() ? next
					: new JobTurn.Leave());
	}

	private void over(Lease lease) {
		this.services.leases().end(lease);
		this.services.operations().end(lease);
	}

	private boolean isUsedUp(IdempotencyRecord record) {
		return spent(record) >= this.policy.retry().maxAttempts();
	}

	/** An operator who has a job sent once more grants it as many attempts anew. */
	private static int spent(IdempotencyRecord record) {
		return record.attempts() - job(record).attemptsBefore();
	}

	/**
	 * Where a retry of the client may run again, nobody but the client, or an operator,
	 * may say so: the gateway itself only where the backend does not mind.
	 */
	private UnknownHandling handling() {
		OutcomeRules outcomes = this.policy.outcomes();
		return (outcomes.unknown() == UnknownHandling.RETRY && !outcomes.backendIdempotent()) ? UnknownHandling.HOLD
				: outcomes.unknown();
	}

	private Retention retention() {
		return this.policy.retention();
	}

	private Instant now() {
		return this.jobs.clock().instant();
	}

	private static Job job(IdempotencyRecord record) {
		Job job = record.job();
		if (job == null) {
			throw new IllegalStateException("a job's record without its job");
		}
		return job;
	}

	private static String word(Reason reason) {
		return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
