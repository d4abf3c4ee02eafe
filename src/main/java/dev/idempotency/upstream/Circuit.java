package dev.idempotency.upstream;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;

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

	boolean lets() {
		return !this.enabled || this.breaker.tryAcquirePermission();
	}

	void record(Outcome outcome, long nanos) {
		if (!this.enabled) {
			return;
		}
		if (outcome instanceof Outcome.NotApplied not && not.reason() == Reason.ANSWERED_LOCALLY) {
			this.breaker.releasePermission();
		}
		else if (isFailure(outcome)) {
			this.breaker.onError(nanos, TimeUnit.NANOSECONDS, AttemptFailedException.INSTANCE);
		}
		else {
			this.breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
		}
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
		return outcome instanceof Outcome.Unknown
				|| (outcome instanceof Outcome.Streaming streaming && streaming.head().status() >= SERVER_ERROR);
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
