package dev.idempotency.core;

import java.time.Duration;
import java.util.function.LongSupplier;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A won claim and the proof that it still is ours. Time is measured from when an
 * acknowledged step was <em>sent</em>, which is the earliest moment at which the store
 * may have counted it.
 *
 * @since 0.1.0
 */
public final class Lease {

	private final RecordId id;

	private final IdempotencyRecord claim;

	private final IdempotencyStore store;

	private final LongSupplier nanoClock;

	private final long leaseNanos;

	private final long claimed;

	private volatile long acknowledged;

	private volatile long lastTry;

	private volatile boolean fenced;

	private final Sinks.Empty<Void> silent = Sinks.empty();

	private int underway;

	private boolean over;

	Lease(RecordId id, IdempotencyRecord claim, IdempotencyStore store, LongSupplier nanoClock, long claimSent) {
		this.id = id;
		this.claim = claim;
		this.store = store;
		this.nanoClock = nanoClock;
		this.leaseNanos = claim.lease().toNanos();
		this.claimed = claimSent;
		this.acknowledged = claimSent;
		this.lastTry = claimSent;
	}

	/** Whose claim it is. */
	public RecordId id() {
		return this.id;
	}

	/** The claim as it was won. */
	public IdempotencyRecord claim() {
		return this.claim;
	}

	/** Time since the claim was sent. */
	Duration age() {
		return Duration.ofNanos(this.nanoClock.getAsLong() - this.claimed);
	}

	/** Whether an attempt in an earlier lease may already have been carried out. */
	public boolean isTainted() {
		return this.claim.tainted();
	}

	/**
	 * To be asked before each send: the last acknowledged sign of life must be younger
	 * than half a lease, else a renewal comes first.
	 * @return whether it is safe to send
	 */
	public Mono<Boolean> ensureFresh() {
		if (this.fenced) {
			return Mono.just(false);
		}
		return isFresh() ? Mono.just(true) : renew();
	}

	/**
	 * Whether the last acknowledged sign of life is younger than half a lease, without
	 * giving a new one: for the moment at which the first byte goes out.
	 */
	public boolean isFresh() {
		return !this.fenced && this.nanoClock.getAsLong() - this.acknowledged < this.leaseNanos / 2;
	}

	/** Whether it is time for a sign of life: each third of a lease. */
	boolean isDue(long now) {
		return !this.fenced && now - this.lastTry >= this.leaseNanos / 3;
	}

	/**
	 * Gives a sign of life.
	 * @return whether the store acknowledged it and the claim still is ours
	 */
	Mono<Boolean> renew() {
		return Mono.defer(() -> begin() ? sign() : Mono.just(false));
	}

	private Mono<Boolean> sign() {
		long sent = this.nanoClock.getAsLong();
		this.lastTry = sent;
		return Mono.defer(() -> this.store.renew(this.id, this.claim))
			.map(ownership -> acknowledge(ownership, sent))
			.onErrorReturn(false)
			.defaultIfEmpty(false)
			.doFinally(signal -> end());
	}

	/** Replies may overtake one another: who was fenced off once stays it. */
	private synchronized boolean acknowledge(IdempotencyStore.Ownership ownership, long sent) {
		if (ownership == IdempotencyStore.Ownership.FENCED) {
			this.fenced = true;
		}
		else if (sent - this.acknowledged > 0) {
			this.acknowledged = sent;
		}
		return !this.fenced;
	}

	/**
	 * No further sign of life. A renewal that came after the release would write the
	 * claim anew, and nobody would be there to end it.
	 * @return completes when none is on its way any more
	 */
	synchronized Mono<Void> stop() {
		this.over = true;
		return (this.underway == 0) ? Mono.empty() : this.silent.asMono();
	}

	private synchronized boolean begin() {
		if (this.over) {
			return false;
		}
		this.underway++;
		return true;
	}

	private void end() {
		boolean last;
		synchronized (this) {
			last = --this.underway == 0 && this.over;
		}
		if (last) {
			this.silent.tryEmitEmpty();
		}
	}

}
