package dev.idempotency.core;

import java.util.function.LongSupplier;

import reactor.core.scheduler.Scheduler;

/**
 * What the engines of all routes of an instance share.
 *
 * @param store where records are kept
 * @param leases the heartbeat of all claims
 * @param operations what runs in this instance
 * @param settlements writes outcomes, in the background where need be
 * @param scheduler for pauses
 * @param nanoClock monotonic time in nanoseconds
 * @since 0.1.0
 */
public record EngineServices(IdempotencyStore store, LeaseKeeper leases, Operations operations, Settlements settlements,
		Scheduler scheduler, LongSupplier nanoClock) implements AutoCloseable {

	/** Stops the heartbeat. */
	@Override
	public void close() {
		this.leases.close();
	}

}
