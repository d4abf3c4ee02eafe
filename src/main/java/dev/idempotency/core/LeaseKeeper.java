package dev.idempotency.core;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The heartbeat of all claims of this instance: one timer that looks after them together,
 * since a timer for each would cost more than the renewals.
 *
 * @since 0.1.0
 */
public final class LeaseKeeper implements AutoCloseable {

	/** Fine enough for a third of the shortest lease, one second. */
	private static final Duration TICK = Duration.ofMillis(100);

	private final Set<Lease> leases = ConcurrentHashMap.newKeySet();

	private final IdempotencyStore store;

	private final LongSupplier nanoClock;

	private final Disposable timer;

	/**
	 * Starts the heartbeat.
	 * @param store where signs of life go
	 * @param scheduler whose threads may be used for a moment
	 * @param nanoClock monotonic time in nanoseconds
	 */
	public LeaseKeeper(IdempotencyStore store, Scheduler scheduler, LongSupplier nanoClock) {
		this.store = store;
		this.nanoClock = nanoClock;
		this.timer = scheduler.schedulePeriodically(this::beat, TICK.toMillis(), TICK.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	Lease keep(RecordId id, IdempotencyRecord claim, long claimSent) {
		Lease lease = new Lease(id, claim, this.store, this.nanoClock, claimSent);
		this.leases.add(lease);
		return lease;
	}

	/**
	 * Ends the heartbeat of a claim.
	 * @param lease the claim
	 * @return completes when no sign of life is on its way any more
	 */
	Mono<Void> end(Lease lease) {
		this.leases.remove(lease);
		return lease.stop();
	}

	/** How many claims are kept alive. */
	int count() {
		return this.leases.size();
	}

	private void beat() {
		long now = this.nanoClock.getAsLong();
		for (Lease lease : this.leases) {
			if (lease.isDue(now)) {
				lease.renew().subscribe();
			}
		}
	}

	@Override
	public void close() {
		this.timer.dispose();
	}

}
