package dev.idempotency.core;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.IdempotencyPolicy.Retention;
import dev.idempotency.core.IdempotencyPolicy.UnknownHandling;
import dev.idempotency.core.IdempotencyRecord.State;

/**
 * Brings an outcome into the store, and only then tells the client.
 */
final class Conclusion {

	private static final Duration SOON = Duration.ofSeconds(1);

	private final IdempotencyPolicy policy;

	private final EngineServices services;

	private final EngineEvents events;

	Conclusion(IdempotencyPolicy policy, EngineServices services, EngineEvents events) {
		this.policy = policy;
		this.services = services;
		this.events = events;
	}

	/** A defect of our own after the claim: nobody can say what was sent. */
	Outcome ofDefect(Lease lease, Throwable defect) {
		this.events.defect(lease.id(), defect);
		return new Outcome.Unknown(1, Outcome.Reason.BROKEN, null, null, null);
	}

	/** The same for one that says nothing. */
	Outcome ofSilence(Lease lease) {
		return ofDefect(lease, new IllegalStateException("an operation ended without an outcome"));
	}

	/**
	 * Settles.
	 * @param lease the claim
	 * @param outcome what became of the operation
	 * @return the answer, once the outcome is in the store or on its way there
	 */
	Mono<Answer> of(Lease lease, Outcome outcome) {
		if (outcome instanceof Outcome.Streaming streaming) {
			return Mono.just(stream(lease, streaming));
		}
		this.events.ended(lease.id(), known(lease, outcome));
		Answer answer = answerTo(lease, outcome);
		if (outcome instanceof Outcome.Unknown unknown && unknown.late() != null) {
			follow(lease, unknown.late());
			return Mono.just(answer);
		}
		return write(lease, outcome).thenReturn(answer);
	}

	/** What is known of the key, to which an earlier attempt in doubt belongs too. */
	private static Outcome known(Lease lease, Outcome outcome) {
		return (lease.isTainted() && outcome instanceof Outcome.NotApplied not) ? inDoubt(not) : outcome;
	}

	private static Outcome inDoubt(Outcome.NotApplied outcome) {
		return new Outcome.Unknown(outcome.attempts(), outcome.reason(), outcome.answer(), null, null);
	}

	private Answer stream(Lease lease, Outcome.Streaming streaming) {
		Mono<Void> settled = last(lease, streaming.end()).flatMap(end -> {
			this.events.ended(lease.id(), end);
			return write(lease, end);
		}).cache();
		settled.subscribe();
		return new Answer.Stream(streaming.head(),
				LastByte.after(settled, streaming.head(), streaming.body()).concatWith(settled.then(Mono.empty())));
	}

	/** The client has been told of a timeout; the attempt goes on without him. */
	private void follow(Lease lease, Mono<Outcome> late) {
		late(lease, late).flatMap(outcome -> write(lease, outcome)).subscribe();
	}

	/** How an attempt ends that went on after its time was over. */
	Mono<Outcome> late(Lease lease, Mono<Outcome> late) {
		return last(lease, late.doOnNext(outcome -> {
			if (outcome instanceof Outcome.Done) {
				this.events.lateAnswer(lease.id(), outcome);
			}
		}));
	}

	/**
	 * How something ends that a client has already heard of: never without an outcome,
	 * and never as if nothing had been done.
	 */
	Mono<Outcome> last(Lease lease, Mono<Outcome> end) {
		return end.onErrorResume(ex -> Mono.just(ofDefect(lease, ex)))
			.switchIfEmpty(Mono.fromSupplier(() -> ofSilence(lease)))
			.map(outcome -> (outcome instanceof Outcome.NotApplied not) ? inDoubt(not) : outcome);
	}

	private Mono<Void> write(Lease lease, Outcome outcome) {
		IdempotencyRecord claim = lease.claim();
		Retention retention = this.policy.retention();
		if (outcome instanceof Outcome.NotApplied && !claim.tainted() && claim.job() != null) {
			return settle(lease, claim.moved(State.FAILED, retention.ttl(), claim.attempts(), false, claim.job()));
		}
		if (outcome instanceof Outcome.NotApplied && !claim.tainted()) {
			return this.services.leases()
				.end(lease)
				.then(this.services.settlements()
					.release(lease, this.events, () -> this.services.operations().end(lease)));
		}
		int attempts = claim.attempts() + outcome.attempts();
		IdempotencyRecord settled = (outcome instanceof Outcome.Done done)
				? claim.settled(State.DONE, retention.ttl(), attempts, done.record())
				: claim.settled(State.UNKNOWN, retention.unknownTtl(), attempts, recordOf(outcome));
		return settle(lease, (outcome instanceof Outcome.Done && claim.job() != null)
				? settled.withJob(claim.job().over(Instant.now(), "answered")) : settled);
	}

	private Mono<Void> settle(Lease lease, IdempotencyRecord settled) {
		return this.services.settlements().settle(lease.id(), settled, this.events, () -> over(lease)).then();
	}

	private void over(Lease lease) {
		this.services.leases().end(lease);
		this.services.operations().end(lease);
	}

	private static @Nullable StoredResponse recordOf(Outcome outcome) {
		return (outcome instanceof Outcome.Unknown unknown) ? unknown.record() : null;
	}

	private Answer answerTo(Lease lease, Outcome outcome) {
		if (outcome instanceof Outcome.Done done) {
			return new Answer.Fresh(done.answer());
		}
		if (outcome instanceof Outcome.NotApplied not) {
			return answerTo(lease.isTainted(), not);
		}
		Outcome.Unknown unknown = (Outcome.Unknown) outcome;
		if (unknown.answer() != null) {
			return new Answer.Fresh(unknown.answer());
		}
		if (unknown.reason() == Outcome.Reason.TIMEOUT) {
			return new Answer.Refused(Problem.UPSTREAM_TIMEOUT, Effect.UNKNOWN, true, null);
		}
		return failed();
	}

	/** A refusal now says nothing of an attempt in doubt before. */
	private Answer answerTo(boolean tainted, Outcome.NotApplied outcome) {
		boolean sent = outcome.reason() == Outcome.Reason.STATUS || outcome.reason() == Outcome.Reason.UNREACHABLE;
		if (tainted && sent) {
			return failed();
		}
		if (outcome.answer() != null) {
			return new Answer.Fresh(outcome.answer());
		}
		Problem problem = problemOf(outcome.reason());
		boolean nothingDone = !tainted && (problem == Problem.TOO_BUSY || problem == Problem.UPSTREAM_UNAVAILABLE);
		return new Answer.Refused(problem, nothingDone ? Effect.NOT_APPLIED : Effect.UNKNOWN, true,
				(outcome.retryAfter() != null) ? outcome.retryAfter() : SOON);
	}

	private Answer failed() {
		boolean retryable = this.policy.outcomes().unknown() != UnknownHandling.HOLD;
		return new Answer.Refused(Problem.UPSTREAM_FAILED, Effect.UNKNOWN, retryable, null);
	}

	private static Problem problemOf(Outcome.Reason reason) {
		return switch (reason) {
			case TOO_BUSY -> Problem.TOO_BUSY;
			case SHUTTING_DOWN -> Problem.SHUTTING_DOWN;
			case LEASE_UNCERTAIN -> Problem.STORE_UNAVAILABLE;
			default -> Problem.UPSTREAM_UNAVAILABLE;
		};
	}

}
