package dev.idempotency.upstream;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.resilience4j.reactor.retry.RetryOperator;
import org.jspecify.annotations.Nullable;

import dev.idempotency.core.IdempotencyPolicy.Limits;
import dev.idempotency.core.Lease;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.Upstream;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * All attempts of one operation. Its state belongs to one claim: how often was sent, is
 * anything in doubt, what was last heard.
 */
final class BackendOperation implements Upstream {

	/** A resend is given at least one of so many parts of the deadline. */
	private static final int LEAST_SHARE = 10;

	private final BackendRequest request;

	private final UpstreamRoute route;

	private final int maxSends;

	private final long deadline;

	private final LateAttempts late;

	private final AtomicBoolean working = new AtomicBoolean();

	private volatile boolean tainted;

	private volatile boolean pausing;

	private volatile boolean asking;

	private volatile int sends;

	private volatile Outcome last = new Outcome.NotApplied(0, Reason.UNREACHABLE, null, null);

	BackendOperation(BackendRequest request, UpstreamRoute route) {
		this(request, route, route.policy().retry().maxAttempts());
	}

	/**
	 * An operation that leaves further sends to somebody else.
	 * @param maxSends how often it sends at most
	 */
	BackendOperation(BackendRequest request, UpstreamRoute route, int maxSends) {
		this.request = request;
		this.maxSends = maxSends;
		this.route = route;
		this.late = new LateAttempts(route);
		this.deadline = now() + limits().deadline().toNanos();
	}

	@Override
	public Mono<Outcome> carryOut(Lease lease) {
		if (!this.route.inFlightSlots().tryAcquire()) {
			return Mono.just(new Outcome.NotApplied(0, Reason.TOO_BUSY, null, null));
		}
		this.working.set(true);
		this.request.share().retain();
		this.tainted = lease.isTainted();
		return attempt(lease).flatMap(step -> step.resend() ? resends(lease, step) : Mono.just(step.outcome()))
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
		return Mono.firstWithSignal(loop, this.late.done(), stopped);
	}

	private Mono<Step> attempt(Lease lease) {
		this.pausing = false;
		if (this.asking && !this.route.budget().tryResend()) {
			return Mono.just(askAgain());
		}
		return lease.ensureFresh()
			.flatMap(fresh -> fresh ? send(lease) : Mono.just(heldBack(Reason.LEASE_UNCERTAIN, null)));
	}

	private Mono<Step> send(Lease lease) {
		if (this.sends > 0 && !isTimeFor(Duration.ZERO)) {
			return Mono.just(Step.last(this.last));
		}
		Circuit.Permit permit = this.route.circuit().permit();
		if (permit == null) {
			return Mono.just(heldBack(Reason.CIRCUIT_OPEN, this.route.circuit().openFor()));
		}
		return Mono.deferContextual(context -> run(lease, permit, context));
	}

	private Mono<Step> run(Lease lease, Circuit.Permit permit, ContextView context) {
		if (this.sends == 0) {
			this.route.budget().firstSend();
		}
		long begun = now();
		Attempt attempt = new Attempt(++this.sends, this.request, this.route, lease);
		attempt.start(context);
		Duration patience = Duration
			.ofNanos(Math.min(limits().timeout().toNanos(), Math.max(1, this.deadline - begun)));
		return awaited(attempt, patience).map(outcome -> {
			permit.record(outcome, now() - begun);
			return judge(outcome);
		}).doOnCancel(() -> {
			permit.giveBack();
			this.late.keep(attempt);
		});
	}

	/** How it ends, or what is known of it when patience has run out. */
	private Mono<Outcome> awaited(Attempt attempt, Duration patience) {
		return Mono.create(sink -> {
			AtomicBoolean decided = new AtomicBoolean();
			sink.onDispose(this.route.services().scheduler().schedule(() -> {
				if (decided.compareAndSet(false, true)) {
					overdue(attempt).subscribe(sink::success, sink::error);
				}
			}, patience.toNanos(), TimeUnit.NANOSECONDS));
			attempt.ended().subscribe(outcome -> {
				if (decided.compareAndSet(false, true)) {
					sink.success(outcome);
				}
			}, sink::error);
		});
	}

	/** Not sent yet: nothing can have happened. Sent: kept open, its answer may come. */
	private Mono<Outcome> overdue(Attempt attempt) {
		if (attempt.recall()) {
			return attempt.ended();
		}
		this.late.keep(attempt);
		return Mono.just(doubt(Reason.TIMEOUT));
	}

	private Step judge(Outcome outcome) {
		this.route.events().attempted(outcome);
		this.asking = this.tainted && this.route.rule().isStillInProgress(outcome);
		Outcome seen = this.asking ? doubt(Reason.TIMEOUT) : outcome;
		this.tainted |= seen instanceof Outcome.Unknown;
		this.last = seen;
		Duration pause = this.route.rule().pauseAfter(outcome, this.sends);
		boolean resend = isTimeFor(pause) && (this.asking || isWorthResending(seen));
		this.pausing = resend;
		return new Step(seen, resend, pause);
	}

	/** The budget has no room for the question now, but perhaps after another pause. */
	private Step askAgain() {
		Duration pause = this.route.rule().pauseAfter(this.last, this.sends);
		this.pausing = isTimeFor(pause);
		return new Step(this.last, this.pausing, pause);
	}

	/**
	 * A resend that has to be cut off at once would only make a doubt of what was surely
	 * not done, so some of the time must be left for it.
	 */
	private boolean isTimeFor(Duration pause) {
		long left = this.deadline - now() - pause.toNanos();
		long least = Math.min(limits().timeout().toNanos(), limits().deadline().toNanos() / LEAST_SHARE);
		return left > least && !this.route.services().operations().isStopped();
	}

	private boolean isWorthResending(Outcome outcome) {
		if (this.sends >= this.maxSends || !this.route.rule().permits(outcome)) {
			return false;
		}
		if (this.route.budget().tryResend()) {
			return true;
		}
		this.route.events().budgetExhausted();
		return false;
	}

	/** Held back before a send: what was known before still holds. */
	private Step heldBack(Reason reason, @Nullable Duration retryAfter) {
		return Step.last((this.sends > 0) ? this.last : new Outcome.NotApplied(0, reason, null, retryAfter));
	}

	private Outcome conclude(Outcome outcome) {
		if (outcome instanceof Outcome.Streaming streaming) {
			Mono<Outcome> end = streaming.end()
				.map(this::known)
				.flatMap(known -> (known instanceof Outcome.Unknown unknown && this.late.any())
						? this.late.rest(unknown).map(this::known) : Mono.just(known))
				.doFinally(signal -> leave())
				.cache();
			return new Outcome.Streaming(this.sends, streaming.head(), streaming.body(), end);
		}
		Outcome known = known(outcome);
		if (known instanceof Outcome.Unknown unknown && this.late.any()) {
			this.route.inFlightSlots().release();
			this.working.set(false);
			return withLateAnswers(unknown);
		}
		leave();
		return known;
	}

	private Outcome withLateAnswers(Outcome.Unknown unknown) {
		Mono<Outcome> end = this.late.rest(unknown)
			.map(this::known)
			.doFinally(signal -> this.request.share().release());
		return new Outcome.Unknown(this.sends, unknown.reason(), unknown.answer(), unknown.record(), end);
	}

	private void leave() {
		if (this.working.compareAndSet(true, false)) {
			this.route.inFlightSlots().release();
			this.request.share().release();
		}
	}

	/** What one attempt's outcome says of the whole operation. */
	private Outcome known(Outcome outcome) {
		boolean undecided = outcome instanceof Outcome.NotApplied || this.route.rule().isStillInProgress(outcome);
		if (this.tainted && this.sends > 0 && undecided) {
			return doubt(Reason.BROKEN);
		}
		return (outcome instanceof Outcome.Done done) ? new Outcome.Done(this.sends, done.answer(), done.record())
				: outcome;
	}

	private Outcome doubt(Reason reason) {
		return new Outcome.Unknown(this.sends, reason, null, null, null);
	}

	private long now() {
		return this.route.services().nanoClock().getAsLong();
	}

	private Limits limits() {
		return this.route.policy().limits();
	}

}
