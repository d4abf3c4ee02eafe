package dev.idempotency.observability;

import java.time.Instant;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/** A step of a store under observation. Where it points to is known only at its end. */
final class StoreStep extends Observation.Context {

	private final Instant begun = Instant.now();

	private @Nullable TraceOrigin origin;

	Instant begun() {
		return this.begun;
	}

	@Nullable TraceOrigin origin() {
		return this.origin;
	}

	void pointsTo(@Nullable TraceOrigin execution) {
		this.origin = execution;
	}

}
