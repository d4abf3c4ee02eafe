package dev.idempotency.store.postgres;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import dev.idempotency.store.CallLimit;

/**
 * Deletes expired rows, a few at a time and one gateway at a time. Nothing depends on it
 * but the size of the table: an expired row counts as none.
 */
final class Sweeper implements AutoCloseable {

	/** Between two rounds. */
	static final Duration PERIOD = Duration.ofSeconds(10);

	/** Rows of one transaction: short enough to hold up nobody. */
	static final int BATCH = 500;

	private final PostgresRecords records;

	private final CallLimit limit;

	private final Disposable sweeping;

	Sweeper(PostgresRecords records, CallLimit limit, Duration period) {
		this.records = records;
		this.limit = limit;
		// Gateways that start together must not sweep together.
		long first = 1 + ThreadLocalRandom.current().nextLong(period.toMillis());
		this.sweeping = Schedulers.parallel()
			.schedulePeriodically(() -> sweep().onErrorComplete().subscribe(), first, period.toMillis(),
					TimeUnit.MILLISECONDS);
	}

	/** Goes on for as long as there is a batch full. */
	private Mono<Long> sweep() {
		return this.limit.limited(this.records.sweep(BATCH))
			.flatMap((deleted) -> (deleted == BATCH) ? sweep() : Mono.just(deleted));
	}

	@Override
	public void close() {
		this.sweeping.dispose();
	}

}
