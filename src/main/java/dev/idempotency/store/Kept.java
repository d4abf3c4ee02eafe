package dev.idempotency.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;

/**
 * A record as it stands in one store.
 *
 * @param claim what it means, never {@link Claim.Won}
 * @param life for how long it will stand there
 * @since 0.1.0
 */
public record Kept(Claim claim, Duration life) {

	/** The record; {@code null} if it cannot be read. */
	public @Nullable IdempotencyRecord record() {
		return recordOf(this.claim);
	}

	/**
	 * The record behind what a look or a claim has met.
	 * @param claim what it means
	 * @return the record; {@code null} if it cannot be read
	 */
	public static @Nullable IdempotencyRecord recordOf(Claim claim) {
		return claim.recordIfAny();
	}

}
