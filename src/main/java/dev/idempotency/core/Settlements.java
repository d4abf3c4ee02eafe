package dev.idempotency.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;
import reactor.util.retry.RetryBackoffSpec;

import dev.idempotency.core.IdempotencyStore.Ownership;

/**
 * Writes how operations ended. A write that fails is tried again in the background for as
 * long as the record would have lived, so that a later retry finds the outcome; what
 * waits is bounded by its size.
 *
 * @since 0.1.0
 */
public final class Settlements {

	private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

	private final IdempotencyStore store;

	private final Scheduler scheduler;

	private final long backlogLimit;

	private final AtomicLong backlog = new AtomicLong();

	/**
	 * For one store.
	 * @param store where outcomes are written
	 * @param scheduler for pauses between tries
	 * @param backlogLimit octets of answers that may wait for a second try; beyond it
	 * only tombstones wait
	 */
	public Settlements(IdempotencyStore store, Scheduler scheduler, long backlogLimit) {
		this.store = store;
		this.scheduler = scheduler;
		this.backlogLimit = backlogLimit;
	}

	/** Octets of answers that wait for a second try. */
	public long backlog() {
		return this.backlog.get();
	}

	/**
	 * Writes an outcome.
	 * @param id whose
	 * @param settled the outcome
	 * @param events told of failures
	 * @param whenOver run once it is written, fenced off, or given up
	 * @return what the first try found; {@link Ownership#OURS} too where it failed, since
	 * nobody is known to be in the way
	 */
	Mono<Ownership> settle(RecordId id, IdempotencyRecord settled, EngineEvents events, Runnable whenOver) {
		return trySettle(id, settled, events, whenOver).map(found -> found.orElse(Ownership.OURS));
	}

	/**
	 * The same for somebody who has to know.
	 * @param id whose
	 * @param settled the outcome
	 * @param events told of failures
	 * @param whenOver run once it is written, fenced off, or given up
	 * @return what the first try found, empty where it failed and others follow in the
	 * background
	 */
	Mono<Optional<Ownership>> trySettle(RecordId id, IdempotencyRecord settled, EngineEvents events,
			Runnable whenOver) {
		return Mono.defer(() -> this.store.settle(id, settled)).materialize().map(end -> {
			Ownership ownership = end.get();
			if (ownership != null) {
				over(id, ownership, events, whenOver);
				return Optional.of(ownership);
			}
			Throwable failure = Objects.requireNonNullElseGet(end.getThrowable(), Settlements::noAnswer);
			events.settleFailed(id);
			later(id, (failure instanceof StoreUnavailableException) ? bounded(settled)
					: plain(id, settled, failure, events), events, whenOver);
			return Optional.empty();
		});
	}

	/**
	 * Frees a key.
	 * @param lease the claim on it
	 * @param events told of failures
	 * @param whenOver run once it is free, fenced off, or given up
	 * @return completes after the first try, whether or not it succeeded
	 */
	Mono<Void> release(Lease lease, EngineEvents events, Runnable whenOver) {
		Mono<Ownership> step = answered(() -> this.store.release(lease.id(), lease.claim().owner()));
		return step.doOnNext(ownership -> over(lease.id(), ownership, events, whenOver)).onErrorResume(ex -> {
			events.settleFailed(lease.id());
			background(lease.id(), again(step, lease.claim().lifetime()), events, whenOver);
			return Mono.empty();
		}).then();
	}

	private Mono<Ownership> write(RecordId id, IdempotencyRecord settled) {
		return answered(() -> this.store.settle(id, settled));
	}

	/** A store that says nothing has not done it. */
	private static Mono<Ownership> answered(Supplier<Mono<Ownership>> step) {
		return Mono.defer(step).switchIfEmpty(Mono.error(Settlements::noAnswer));
	}

	private static Throwable noAnswer() {
		return new StoreUnavailableException("The store gave no answer", null);
	}

	private void over(RecordId id, Ownership ownership, EngineEvents events, Runnable whenOver) {
		if (ownership == Ownership.FENCED) {
			events.fenced(id);
		}
		whenOver.run();
	}

	private void later(RecordId id, IdempotencyRecord settled, EngineEvents events, Runnable whenOver) {
		StoredResponse response = settled.response();
		int size = (response != null) ? response.size() : 0;
		background(id, again(write(id, settled), settled.lifetime()), events, () -> {
			this.backlog.addAndGet(-size);
			whenOver.run();
		});
	}

	private static void background(RecordId id, Mono<Ownership> step, EngineEvents events, Runnable whenOver) {
		step.doFinally(signal -> whenOver.run()).subscribe(ownership -> {
			if (ownership == Ownership.FENCED) {
				events.fenced(id);
			}
		}, defect -> events.defect(id, defect));
	}

	/** Repeats a step until it succeeds or nobody could profit from it any more. */
	private Mono<Ownership> again(Mono<Ownership> step, Duration within) {
		RetryBackoffSpec pauses = Retry.backoff(Long.MAX_VALUE, FIRST_PAUSE)
			.maxBackoff(LONGEST_PAUSE)
			.scheduler(this.scheduler);
		return step.delaySubscription(FIRST_PAUSE, this.scheduler).retryWhen(pauses).take(within, this.scheduler);
	}

	private IdempotencyRecord bounded(IdempotencyRecord settled) {
		StoredResponse response = settled.response();
		if (response == null || this.backlog.addAndGet(response.size()) <= this.backlogLimit) {
			return settled;
		}
		this.backlog.addAndGet(-response.size());
		return buried(settled, response);
	}

	/** An answer that a store chokes on would be tried in vain for the record's life. */
	private static IdempotencyRecord plain(RecordId id, IdempotencyRecord settled, Throwable defect,
			EngineEvents events) {
		events.defect(id, defect);
		StoredResponse response = settled.response();
		return (response != null) ? buried(settled, response) : settled;
	}

	private static IdempotencyRecord buried(IdempotencyRecord settled, StoredResponse response) {
		return settled.withResponse(StoredResponse.tombstone(response.status()));
	}

}
