package dev.idempotency.core;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.IdempotencyPolicy.StoreFailure;
import dev.idempotency.core.IdempotencyPolicy.UnknownHandling;
import dev.idempotency.core.Upstream.Verdict;

/**
 * Identify, claim, attempt, settle, answer: the engine does all but the first, for one
 * route. What has been claimed runs to its end whatever becomes of the client.
 *
 * @since 0.1.0
 */
public final class IdempotencyEngine {

	private static final Duration SOON = Duration.ofSeconds(1);

	private static final Duration FIRST_LOOK = Duration.ofMillis(100);

	private static final int DOUBLINGS = 4;

	private static final Verdict UNDECIDED = new Verdict(Verdict.Kind.UNDECIDED, null);

	private final IdempotencyPolicy policy;

	private final IdempotencyStore store;

	private final LeaseKeeper leases;

	private final Operations operations;

	private final Settlements settlements;

	private final Conclusion conclusion;

	private final EngineEvents events;

	private final Scheduler scheduler;

	private final LongSupplier nanoClock;

	/**
	 * For one route.
	 * @param policy its rules
	 * @param services what all routes of an instance share
	 * @param events told of what happens
	 */
	public IdempotencyEngine(IdempotencyPolicy policy, EngineServices services, EngineEvents events) {
		this.policy = policy;
		this.store = services.store();
		this.leases = services.leases();
		this.operations = services.operations();
		this.scheduler = services.scheduler();
		this.nanoClock = services.nanoClock();
		this.settlements = services.settlements();
		this.events = new QuietEvents(events);
		this.conclusion = new Conclusion(policy, services, this.events);
	}

	/**
	 * Answers a keyed request.
	 * @param request the request
	 * @param upstream its backend, called only if the key is free
	 * @return the answer; an error only for a defect
	 */
	public Mono<Answer> handle(KeyedRequest request, Upstream upstream) {
		Mono<Answer> look = Detached.run(Mono.defer(() -> look(request, upstream)));
		if (request.patience().isZero()) {
			return look;
		}
		return Mono.defer(() -> await(look, request, this.nanoClock.getAsLong() + request.patience().toNanos(), 0));
	}

	private Mono<Answer> look(KeyedRequest request, Upstream upstream) {
		if (!this.operations.enter()) {
			return Mono.just(refused(Problem.SHUTTING_DOWN, true, SOON));
		}
		return Mono.defer(() -> claim(request, upstream)).doFinally(signal -> this.operations.leave());
	}

	/** Looks, and looks again while another one is at work and there is patience left. */
	private Mono<Answer> await(Mono<Answer> look, KeyedRequest request, long end, int looks) {
		return look.flatMap(answer -> {
			if (answer instanceof Answer.Unprotected && looks > 0) {
				return Mono.just(refused(Problem.STORE_UNAVAILABLE, true, SOON));
			}
			long left = end - this.nanoClock.getAsLong();
			if (!isInProgress(answer) || left <= 0) {
				return Mono.just(answer);
			}
			Mono<?> pause = Mono.delay(pause(looks, left), this.scheduler);
			return Mono.firstWithSignal(this.operations.ended(request.id()), pause)
				.then(Mono.defer(() -> await(look, request, end, looks + 1)));
		});
	}

	/**
	 * Doubling from a tenth of a second to about a second and a half, by chance apart.
	 */
	private Duration pause(int looks, long leftNanos) {
		long millis = FIRST_LOOK.toMillis() << Math.min(looks, DOUBLINGS);
		long varied = millis - millis / 4 + ThreadLocalRandom.current().nextLong(millis / 2);
		return Duration.ofNanos(Math.min(Duration.ofMillis(varied).toNanos(), leftNanos));
	}

	private Mono<Answer> claim(KeyedRequest request, Upstream upstream) {
		IdempotencyRecord mine = IdempotencyRecord.claim(request.id(), request.fingerprint(), this.policy.retention());
		long sent = this.nanoClock.getAsLong();
		return asked(request.id(), () -> this.store.claim(request.id(), mine), unreachable(),
				claim -> decide(request, upstream, claim, sent));
	}

	/**
	 * One step of the store. What becomes of its answer is no part of it: an error there
	 * must not look like an error of the store.
	 */
	private Mono<Answer> asked(RecordId id, Supplier<Mono<Claim>> step, Answer otherwise,
			Function<Claim, Mono<Answer>> next) {
		return Mono.defer(step).materialize().flatMap(end -> {
			Claim claim = end.get();
			if (claim != null) {
				return next.apply(claim);
			}
			Throwable failure = end.getThrowable();
			if (failure != null && !(failure instanceof StoreUnavailableException)) {
				this.events.defect(id, failure);
			}
			return Mono.just(otherwise);
		});
	}

	private Mono<Answer> decide(KeyedRequest request, Upstream upstream, Claim claim, long sent) {
		if (claim instanceof Claim.Won won) {
			return carryOut(request, upstream, won, sent);
		}
		if (claim instanceof Claim.Running running) {
			return isOther(request, running.record()) ? reused() : Mono.just(inProgress());
		}
		if (claim instanceof Claim.Finished finished) {
			return isOther(request, finished.record()) ? reused() : Mono.just(replay(finished.record()));
		}
		if (claim instanceof Claim.UnknownOutcome unknown) {
			return isOther(request, unknown.record()) ? reused() : inDoubt(request, upstream, unknown);
		}
		if (claim instanceof Claim.AtRest rest) {
			return isOther(request, rest.record()) ? reused() : ofJob(request, upstream, rest);
		}
		this.events.unreadable(request.id(), ((Claim.Unreadable) claim).reason());
		return Mono.just(refused(Problem.RECORD_UNREADABLE, true, SOON));
	}

	/** A failed job left surely nothing done: its key may be used again, by itself. */
	private Mono<Answer> ofJob(KeyedRequest request, Upstream upstream, Claim.AtRest seen) {
		return switch (seen.record().state()) {
			case CANCELLED -> Mono.just(new Answer.Refused(Problem.JOB_CANCELLED, Effect.NOT_APPLIED, false, null));
			case FAILED -> takeOver(request, upstream, seen,
					IdempotencyRecord.claim(request.id(), request.fingerprint(), this.policy.retention()));
			default -> Mono.just(inProgress());
		};
	}

	private Mono<Answer> carryOut(KeyedRequest request, Upstream upstream, Claim.Won won, long sent) {
		Lease lease = this.leases.keep(request.id(), won.record(), sent);
		this.operations.begin(lease);
		return Mono.defer(() -> upstream.carryOut(lease))
			.onErrorResume(ex -> Mono.just(this.conclusion.ofDefect(lease, ex)))
			.switchIfEmpty(Mono.fromSupplier(() -> this.conclusion.ofSilence(lease)))
			.flatMap(outcome -> this.conclusion.of(lease, outcome));
	}

	private Answer replay(IdempotencyRecord record) {
		StoredResponse response = record.response();
		if (response != null && response.isReplayable()) {
			return new Answer.Replay(response, false);
		}
		return new Answer.Refused(Problem.REPLAY_UNAVAILABLE, effectOf((response != null) ? response.status() : 0),
				false, null);
	}

	private Mono<Answer> inDoubt(KeyedRequest request, Upstream upstream, Claim.UnknownOutcome seen) {
		if (seen.lapsed()) {
			this.events.leaseLapsed(request.id());
		}
		UnknownHandling handling = this.policy.outcomes().unknown();
		if (handling == UnknownHandling.RETRY) {
			return takeOver(request, upstream, seen,
					IdempotencyRecord.claim(request.id(), request.fingerprint(), this.policy.retention())
						.afterDoubt(seen.record().attempts()));
		}
		if (handling == UnknownHandling.RECONCILE) {
			return reconcile(request, upstream, seen);
		}
		return Mono.just(held(seen.record()));
	}

	private Answer held(IdempotencyRecord record) {
		StoredResponse response = record.response();
		if (response != null && response.isReplayable()) {
			return new Answer.Replay(response, true);
		}
		if (response != null && response.status() != 0) {
			return new Answer.Refused(Problem.REPLAY_UNAVAILABLE, Effect.UNKNOWN, false, null);
		}
		return unsettled();
	}

	private Answer unsettled() {
		boolean retryable = this.policy.outcomes().unknown() != UnknownHandling.HOLD;
		return refused(Problem.OUTCOME_UNKNOWN, retryable, null);
	}

	/**
	 * In one step. Who comes too late is told what he finds, and a record that is in
	 * doubt again is not taken over a second time.
	 */
	private Mono<Answer> takeOver(KeyedRequest request, Upstream upstream, Claim.Open seen, IdempotencyRecord mine) {
		long sent = this.nanoClock.getAsLong();
		IdempotencyRecord claimed = mine.withJob(seen.record().job());
		return asked(request.id(), () -> this.store.takeOver(request.id(), seen, claimed),
				refused(Problem.STORE_UNAVAILABLE, true, SOON), claim -> {
					if (claim instanceof Claim.Open open) {
						return isOther(request, open.record()) ? reused()
								: Mono.just((open instanceof Claim.AtRest) ? inProgress() : unsettled());
					}
					return decide(request, upstream, claim, sent);
				});
	}

	/** One asks, the others are told that it still is not known. */
	private Mono<Answer> reconcile(KeyedRequest request, Upstream upstream, Claim.UnknownOutcome seen) {
		OwnerToken guard = OwnerToken.random();
		Mono<Verdict> ask = Mono.usingWhen(Mono.just(guard), visitor -> ask(request.id(), upstream, seen),
				visitor -> Mono.defer(() -> this.store.leave(request.id(), visitor)).onErrorComplete());
		return Mono.defer(() -> this.store.enter(request.id(), guard, longestQuestion()))
			.onErrorReturn(false)
			.filter(alone -> alone)
			.flatMap(alone -> ask)
			.defaultIfEmpty(UNDECIDED)
			.flatMap(verdict -> believe(request, upstream, seen, verdict));
	}

	private Mono<Verdict> ask(RecordId id, Upstream upstream, Claim.UnknownOutcome seen) {
		return Mono.defer(() -> upstream.reconcile(seen.age())).onErrorResume(ex -> {
			this.events.defect(id, ex);
			return Mono.just(UNDECIDED);
		});
	}

	private Duration longestQuestion() {
		IdempotencyPolicy.Reconcile rules = this.policy.outcomes().reconcile();
		Duration lease = this.policy.retention().lease();
		return (rules != null) ? lease.plus(rules.timeout()) : lease;
	}

	private Mono<Answer> believe(KeyedRequest request, Upstream upstream, Claim.UnknownOutcome seen, Verdict verdict) {
		IdempotencyRecord record = seen.record();
		if (verdict.kind() == Verdict.Kind.NOT_APPLIED) {
			return takeOver(request, upstream, seen,
					IdempotencyRecord.claim(request.id(), request.fingerprint(), this.policy.retention()));
		}
		if (verdict.kind() == Verdict.Kind.APPLIED) {
			IdempotencyRecord done = record.settled(IdempotencyRecord.State.DONE, this.policy.retention().ttl(),
					record.attempts(), verdict.record());
			return this.settlements.settle(request.id(), done, this.events, () -> {
			}).map(ownership -> (ownership == IdempotencyStore.Ownership.OURS) ? replay(done) : inProgress());
		}
		return Mono.just(unsettled());
	}

	private boolean isOther(KeyedRequest request, IdempotencyRecord record) {
		return !request.fingerprint().matches(record.fingerprint());
	}

	private static boolean isInProgress(Answer answer) {
		return answer instanceof Answer.Refused refused && refused.problem() == Problem.IN_PROGRESS;
	}

	private Answer unreachable() {
		return (this.policy.storeFailure() == StoreFailure.FORWARD) ? new Answer.Unprotected()
				: refused(Problem.STORE_UNAVAILABLE, true, SOON);
	}

	private static Mono<Answer> reused() {
		return Mono.just(refused(Problem.KEY_REUSED, false, null));
	}

	private static Answer inProgress() {
		return refused(Problem.IN_PROGRESS, true, SOON);
	}

	private static Answer refused(Problem problem, boolean retryable, @Nullable Duration retryAfter) {
		return new Answer.Refused(problem, Effect.UNKNOWN, retryable, retryAfter);
	}

	/** What a status on a record says of the operation. */
	private static Effect effectOf(int status) {
		if (status >= 400 && status < 500) {
			return Effect.NOT_APPLIED;
		}
		return (status >= 500) ? Effect.UNKNOWN : Effect.APPLIED;
	}

}
