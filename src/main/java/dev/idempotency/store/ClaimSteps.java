package dev.idempotency.store;

import java.time.Duration;

import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;

/**
 * The single steps of which a claim in a distant store is made. Each is atomic there and
 * touches one record.
 *
 * @since 0.1.0
 */
public interface ClaimSteps {

	/** Writes a claim where nothing stands. */
	Mono<Met> claim(PendingClaim pending);

	/**
	 * Writes a claim in the place of an unknown outcome or of a job at rest, or where
	 * nothing stands.
	 * @param pending the claim
	 * @param seen the record as it was seen: owner and state are compared
	 */
	Mono<Met> takeOver(PendingClaim pending, IdempotencyRecord seen);

	/**
	 * Writes a claim in the place of one that was withdrawn, and nowhere else.
	 * @param pending the claim
	 * @param withdrawn token of the other one
	 */
	Mono<Met> adopt(PendingClaim pending, OwnerToken withdrawn);

	/**
	 * Puts back what a withdrawn take-over had replaced.
	 * @param id the key's identity
	 * @param withdrawn token of the take-over
	 * @param before what stood there before
	 * @param life what is left of its life
	 * @return whether the take-over stood there
	 */
	Mono<Boolean> restore(RecordId id, OwnerToken withdrawn, IdempotencyRecord before, Duration life);

	/** Reads a record and its remaining life. */
	Mono<Met> look(RecordId id);

	/** Deletes a claim, and never an outcome. */
	Mono<Ownership> release(RecordId id, OwnerToken owner);

}
