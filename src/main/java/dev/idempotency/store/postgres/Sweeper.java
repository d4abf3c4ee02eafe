package dev.idempotency.store.postgres;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import dev.idempotency.store.CallLimit;

/**
 * Deletes expired rows, a few at a time and one gateway at a time. Nothing depends on it
 * but the size of the tables: an expired row counts as none.
 */
final class Sweeper implements AutoCloseable {

	/** Between two rounds. */
	static final Duration PERIOD = Duration.ofSeconds(10);

	/** Rows of one transaction: short enough to hold up nobody. */
	static final int BATCH = 500;

	private final List<IntFunction<Mono<Long>>> steps;

	private final CallLimit limit;

	private final Disposable sweeping;

	/**
	 * Begins soon.
	 * @param steps each deletes at most so many rows and says how many
	 * @param limit bounds each of them
	 * @param period between two rounds
	 */
	Sweeper(List<IntFunction<Mono<Long>>> steps, CallLimit limit, Duration period) {
		this.steps = steps;
		this.limit = limit;
		// Gateways that start together must not sweep together.
		long first = 1 + ThreadLocalRandom.current().nextLong(period.toMillis());
		this.sweeping = Schedulers.parallel()
			.schedulePeriodically(this::sweep, first, period.toMillis(), TimeUnit.MILLISECONDS);
	}

	private void sweep() {
		this.steps.forEach((step) -> sweep(step).onErrorComplete().subscribe());
	}

	/** Goes on for as long as there is a batch full. */
	private Mono<Long> sweep(IntFunction<Mono<Long>> step) {
		return this.limit.limited(step.apply(BATCH))
			.flatMap((deleted) -> (deleted == BATCH) ? sweep(step) : Mono.just(deleted));
	}

	@Override
	public void close() {
		this.sweeping.dispose();
	}

}
