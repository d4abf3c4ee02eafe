package dev.idempotency.upstream;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import dev.idempotency.core.Outcome;
import dev.idempotency.core.Outcome.Reason;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The attempts of one operation that were waited for long enough and still run. The first
 * one that ends done decides; if all end in doubt, it is doubt.
 */
final class LateAttempts {

	private final UpstreamRoute route;

	private final Set<Attempt> open = ConcurrentHashMap.newKeySet();

	private final Sinks.One<Outcome> end = Sinks.one();

	private volatile boolean any;

	private volatile boolean lastHope;

	private volatile Outcome.Unknown doubt = new Outcome.Unknown(0, Reason.TIMEOUT, null, null, null);

	LateAttempts(UpstreamRoute route) {
		this.route = route;
	}

	/** Keeps an attempt if the route has room for one more, else cuts it. */
	void keep(Attempt attempt) {
		if (!this.route.lateSlots().tryAcquire()) {
			attempt.cut();
			return;
		}
		this.any = true;
		this.open.add(attempt);
		Disposable cut = this.route.services()
			.scheduler()
			.schedule(attempt::cut, this.route.policy().limits().lateAnswer().toMillis(), TimeUnit.MILLISECONDS);
		attempt.ended()
			.flatMap(LateAttempts::drained)
			.onErrorResume(defect -> Mono.just(this.doubt))
			.subscribe(outcome -> {
				cut.dispose();
				this.route.lateSlots().release();
				over(attempt, outcome);
			});
	}

	/** An answer that is too large to keep has no reader any more. */
	private static Mono<Outcome> drained(Outcome outcome) {
		if (outcome instanceof Outcome.Streaming streaming) {
			streaming.body().subscribe().dispose();
			return streaming.end();
		}
		return Mono.just(outcome);
	}

	private void over(Attempt attempt, Outcome outcome) {
		boolean decides = outcome instanceof Outcome.Done && !this.route.rule().isStillInProgress(outcome);
		if (decides && !this.end.tryEmitValue(outcome).isSuccess()) {
			this.route.events().lateAnswerDropped(outcome);
		}
		if (outcome instanceof Outcome.Unknown unknown && unknown.record() != null) {
			this.doubt = unknown;
		}
		this.open.remove(attempt);
		endIfNoneIsLeft();
	}

	/** Whether there ever was one; its answer may have come meanwhile. */
	boolean any() {
		return this.any;
	}

	/** The first done outcome; without one it never ends. */
	Mono<Outcome> done() {
		return this.end.asMono();
	}

	/**
	 * Nothing else is to be expected: what they come to is what the operation comes to.
	 * @param known what is known until then
	 */
	Mono<Outcome> rest(Outcome.Unknown known) {
		if (this.doubt.record() == null) {
			this.doubt = known;
		}
		this.lastHope = true;
		endIfNoneIsLeft();
		return this.end.asMono();
	}

	private void endIfNoneIsLeft() {
		if (this.lastHope && this.open.isEmpty()) {
			Outcome.Unknown last = this.doubt;
			this.end.tryEmitValue(new Outcome.Unknown(last.attempts(), Reason.TIMEOUT, null, last.record(), null));
		}
	}

}
