package dev.idempotency.upstream;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.github.resilience4j.reactor.retry.RetryOperator;
import org.jspecify.annotations.Nullable;

import dev.idempotency.core.IdempotencyPolicy.Limits;
import dev.idempotency.core.IdempotencyPolicy.OutcomeRules;
import dev.idempotency.core.IdempotencyPolicy.RetryRules;
import dev.idempotency.core.Lease;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.Upstream;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * All attempts of one operation. Its state belongs to one claim: how often was sent, is
 * anything in doubt, which attempts are still open.
 */
final class BackendOperation implements Upstream {

	private final BackendRequest request;

	private final UpstreamRoute route;

	private final long deadline;

	private final List<Attempt> open = new CopyOnWriteArrayList<>();

	private final Sinks.One<Outcome> late = Sinks.one();

	private volatile boolean tainted;

	private volatile boolean pausing;

	private volatile boolean kept;

	private volatile boolean concluded;

	private volatile int sends;

	private volatile Outcome last = unreachable();

	private volatile ContextView context = Context.empty();

	BackendOperation(BackendRequest request, UpstreamRoute route) {
		this.request = request;
		this.route = route;
		this.deadline = now() + limits().deadline().toNanos();
	}

	@Override
	public Mono<Outcome> carryOut(Lease lease) {
		if (!this.route.inFlightSlots().tryAcquire()) {
			return Mono.just(new Outcome.NotApplied(0, Reason.TOO_BUSY, null, null));
		}
		this.request.share().retain();
		this.tainted = lease.isTainted();
		return Mono.deferContextual(view -> {
			this.context = view;
			return attempt(lease);
		})
			.flatMap(step -> step.resend() ? resends(lease, step) : Mono.just(step.outcome()))
			.map(this::conclude)
			.doOnError(defect -> leave());
	}

	@Override
	public Mono<Verdict> reconcile(Duration silence) {
		return new Reconciliation(this.route, this.request).ask(silence);
	}

	/** From the second attempt on, until one is the last or an earlier one comes late. */
	private Mono<Outcome> resends(Lease lease, Step first) {
		Mono<Outcome> loop = Mono.defer(() -> attempt(lease))
			.transformDeferred(RetryOperator.of(this.route.retry()))
			.map(Step::outcome)
			.delaySubscription(first.pause(), this.route.services().scheduler());
		Mono<Outcome> stopped = this.route.services()
			.operations()
			.stopping()
			.then(Mono.defer(() -> this.pausing ? Mono.just(this.last) : Mono.never()));
		return Mono.firstWithSignal(loop, this.late.asMono(), stopped);
	}

	private Mono<Step> attempt(Lease lease) {
		this.pausing = false;
		return lease.ensureFresh()
			.flatMap(fresh -> fresh ? send() : Mono.just(Step.last(heldBack(Reason.LEASE_UNCERTAIN, null))));
	}

	private Mono<Step> send() {
		if (!this.route.circuit().lets()) {
			return Mono.just(Step.last(heldBack(Reason.CIRCUIT_OPEN, this.route.circuit().openFor())));
		}
		if (this.sends == 0) {
			this.route.budget().firstSend();
		}
		long begun = now();
		int number = ++this.sends;
		Attempt attempt = new Attempt(number, this.request, this.route);
		this.open.add(attempt);
		attempt.start(this.context);
		Duration patience = Duration
			.ofNanos(Math.min(limits().timeout().toNanos(), Math.max(1, this.deadline - begun)));
		return attempt.ended()
			.doOnNext(outcome -> this.open.remove(attempt))
			.timeout(patience, Mono.defer(() -> overdue(attempt, number)), this.route.services().scheduler())
			.map(outcome -> judge(outcome, now() - begun));
	}

	/** Not sent yet: nothing can have happened. Sent: kept open, its answer may come. */
	private Mono<Outcome> overdue(Attempt attempt, int number) {
		if (!attempt.wasSent()) {
			attempt.cut();
			this.open.remove(attempt);
			return attempt.ended();
		}
		if (this.route.lateSlots().tryAcquire()) {
			keep(attempt);
		}
		else {
			attempt.cut();
			this.open.remove(attempt);
		}
		return Mono.just(new Outcome.Unknown(number, Reason.TIMEOUT, null, null, null));
	}

	private void keep(Attempt attempt) {
		this.kept = true;
		Disposable cut = cutAfterwards(attempt);
		attempt.ended().flatMap(BackendOperation::drained).subscribe(outcome -> {
			cut.dispose();
			this.route.lateSlots().release();
			if (outcome instanceof Outcome.Done) {
				this.late.tryEmitValue(outcome);
			}
			this.open.remove(attempt);
			endInDoubtIfAllEnded();
		});
	}

	private Disposable cutAfterwards(Attempt attempt) {
		return this.route.services()
			.scheduler()
			.schedule(attempt::cut, limits().lateAnswer().toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Of no effect if a late answer came. */
	private void endInDoubtIfAllEnded() {
		if (this.concluded && this.open.isEmpty()) {
			this.late.tryEmitValue(doubt(Reason.TIMEOUT));
		}
	}

	/** A late answer that is too large to keep has no reader any more. */
	private static Mono<Outcome> drained(Outcome outcome) {
		if (outcome instanceof Outcome.Streaming streaming) {
			streaming.body().subscribe().dispose();
			return streaming.end();
		}
		return Mono.just(outcome);
	}

	private Step judge(Outcome outcome, long nanos) {
		this.route.circuit().record(outcome, nanos);
		this.route.events().attempted(outcome);
		boolean stillRunning = this.tainted && outcome.attempts() > 0 && isStillInProgress(outcome);
		Outcome seen = stillRunning ? new Outcome.Unknown(this.sends, Reason.TIMEOUT, null, null, null) : outcome;
		this.tainted |= seen instanceof Outcome.Unknown;
		this.last = seen;
		Duration pause = pauseAfter(outcome);
		boolean inTime = now() + pause.toNanos() < this.deadline && !this.route.services().operations().isStopped();
		boolean resend = inTime && (stillRunning || isWorthResending(seen));
		this.pausing = resend;
		return new Step(seen, resend, pause);
	}

	private boolean isWorthResending(Outcome outcome) {
		if (this.sends >= retry().maxAttempts() || !isPermitted(outcome)) {
			return false;
		}
		if (this.route.budget().tryResend()) {
			return true;
		}
		this.route.events().budgetExhausted();
		return false;
	}

	private boolean isPermitted(Outcome outcome) {
		if (outcome instanceof Outcome.NotApplied not) {
			return not.reason() == Reason.UNREACHABLE || isListed(not.answer());
		}
		if (outcome instanceof Outcome.Unknown unknown && rules().backendIdempotent()) {
			return unknown.answer() == null || isListed(unknown.answer());
		}
		return false;
	}

	private boolean isListed(@Nullable StoredResponse answer) {
		return answer != null && retry().statuses().contains(answer.status());
	}

	/** A backend that honours keys refuses a second send while the first still runs. */
	private boolean isStillInProgress(Outcome outcome) {
		StoredResponse answer = (outcome instanceof Outcome.Done done) ? done.answer()
				: (outcome instanceof Outcome.NotApplied not) ? not.answer() : null;
		return rules().backendIdempotent() && answer != null && rules().inProgressOn().contains(answer.status());
	}

	private Duration pauseAfter(Outcome outcome) {
		Duration pause = this.route.pauseAfter(this.sends);
		Duration asked = (outcome instanceof Outcome.NotApplied not) ? not.retryAfter() : null;
		return (asked != null && asked.compareTo(pause) > 0) ? asked : pause;
	}

	/** Held back before a send: what was known before still holds. */
	private Outcome heldBack(Reason reason, @Nullable Duration retryAfter) {
		if (this.sends > 0) {
			return this.last;
		}
		return new Outcome.NotApplied(0, reason, null, retryAfter);
	}

	private Outcome conclude(Outcome outcome) {
		if (outcome instanceof Outcome.Streaming streaming) {
			Mono<Outcome> end = streaming.end().map(this::inDoubtIfTainted).doFinally(signal -> leave()).cache();
			return new Outcome.Streaming(this.sends, streaming.head(), streaming.body(), end);
		}
		Outcome known = inDoubtIfTainted(outcome);
		if (known instanceof Outcome.Unknown unknown && this.kept) {
			this.route.inFlightSlots().release();
			return withLateAnswers(unknown);
		}
		this.open.forEach(this::cutAfterwards);
		leave();
		return known;
	}

	private Outcome withLateAnswers(Outcome.Unknown unknown) {
		this.concluded = true;
		endInDoubtIfAllEnded();
		Mono<Outcome> end = this.late.asMono().doFinally(signal -> this.request.share().release());
		return new Outcome.Unknown(this.sends, unknown.reason(), unknown.answer(), unknown.record(), end);
	}

	private void leave() {
		this.route.inFlightSlots().release();
		this.request.share().release();
	}

	private Outcome inDoubtIfTainted(Outcome outcome) {
		boolean nowInDoubt = outcome instanceof Outcome.NotApplied && this.tainted && this.sends > 0;
		return nowInDoubt ? doubt(Reason.BROKEN) : outcome;
	}

	private Outcome doubt(Reason reason) {
		return new Outcome.Unknown(this.sends, reason, null, null, null);
	}

	private static Outcome unreachable() {
		return new Outcome.NotApplied(0, Reason.UNREACHABLE, null, null);
	}

	private long now() {
		return this.route.services().nanoClock().getAsLong();
	}

	private Limits limits() {
		return this.route.policy().limits();
	}

	private RetryRules retry() {
		return this.route.policy().retry();
	}

	private OutcomeRules rules() {
		return this.route.policy().outcomes();
	}

}
