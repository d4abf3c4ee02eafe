package dev.idempotency.upstream;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import org.jspecify.annotations.Nullable;

import dev.idempotency.core.IdempotencyPolicy.CircuitBreakerRules;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.StoredResponse;

/**
 * The circuit breaker of a route, over attempts: each permission it gives is answered
 * with a success, a failure or its return, so that it never hangs half open.
 */
final class Circuit {

	private static final float PERCENT = 100;

	private static final int SERVER_ERROR = 500;

	private final boolean enabled;

	private final Duration open;

	private final LongSupplier nanoClock;

	private final CircuitBreaker breaker;

	private volatile long opened;

	Circuit(String route, CircuitBreakerRules rules, LongSupplier nanoClock) {
		this.enabled = rules.enabled();
		this.open = rules.open();
		this.nanoClock = nanoClock;
		this.breaker = CircuitBreaker.of(route, config(rules));
		this.breaker.getEventPublisher().onStateTransition(event -> this.opened = nanoClock.getAsLong());
	}

	private static CircuitBreakerConfig config(CircuitBreakerRules rules) {
		return CircuitBreakerConfig.custom()
			.slidingWindow(rules.window(), rules.minimumCalls(), CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
			.failureRateThreshold((float) rules.failureRate() * PERCENT)
			.waitDurationInOpenState(rules.open())
			.permittedNumberOfCallsInHalfOpenState(rules.halfOpenCalls())
			.build();
	}

	/** Permission for one attempt, {@code null} if attempts are held back. */
	@Nullable Permit permit() {
		return (!this.enabled || this.breaker.tryAcquirePermission()) ? new Permit() : null;
	}

	/** How long it will stay open. */
	Duration openFor() {
		Duration left = this.open.minusNanos(this.nanoClock.getAsLong() - this.opened);
		return left.isNegative() ? Duration.ZERO : left;
	}

	String state() {
		return this.breaker.getState().name();
	}

	private static boolean isFailure(Outcome outcome) {
		if (outcome instanceof Outcome.NotApplied not) {
			StoredResponse answer = not.answer();
			return answer == null || answer.status() >= SERVER_ERROR;
		}
		if (outcome instanceof Outcome.Done done) {
			return done.answer().status() >= SERVER_ERROR;
		}
		return outcome instanceof Outcome.Unknown
				|| (outcome instanceof Outcome.Streaming streaming && streaming.head().status() >= SERVER_ERROR);
	}

	/** Permission for one attempt. It is used up by its outcome, or given back, once. */
	final class Permit {

		private final AtomicBoolean open = new AtomicBoolean(Circuit.this.enabled);

		/** The attempt came to something. */
		void record(Outcome outcome, long nanos) {
			if (!this.open.compareAndSet(true, false)) {
				return;
			}
			if (outcome instanceof Outcome.NotApplied not && not.reason() == Reason.ANSWERED_LOCALLY) {
				Circuit.this.breaker.releasePermission();
			}
			else if (isFailure(outcome)) {
				Circuit.this.breaker.onError(nanos, TimeUnit.NANOSECONDS, AttemptFailedException.INSTANCE);
			}
			else {
				Circuit.this.breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
			}
		}

		/** Nobody waits any more for what it comes to. */
		void giveBack() {
			if (this.open.compareAndSet(true, false)) {
				Circuit.this.breaker.releasePermission();
			}
		}

	}

	/** Stands for every failure; the breaker wants one, nobody reads it. */
	private static final class AttemptFailedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		static final AttemptFailedException INSTANCE = new AttemptFailedException();

		private AttemptFailedException() {
			super("an attempt failed", null, false, false);
		}

	}

}
