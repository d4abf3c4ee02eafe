package dev.idempotency.core;

import java.time.Duration;
import java.util.Map;

import reactor.core.publisher.Mono;

/**
 * Keeps the records. Each method is one atomic step by the store's own clock; none blocks
 * the calling thread.
 *
 * <p>
 * A store that cannot be reached, or does not answer in time, ends the {@code Mono} with
 * {@link StoreUnavailableException}, and with nothing else. After such an error the step
 * may have been carried out all the same.
 *
 * <p>
 * An implementation drops no record before its time. A claim whose reply was lost is
 * withdrawn by the store itself: whoever meets it later takes it over.
 *
 * @since 0.1.0
 */
public interface IdempotencyStore {

	/** The name under which it is configured and counted, for instance {@code redis}. */
	String name();

	/** How it is just now, as far as is known without asking it. */
	default StoreStatus status() {
		return new StoreStatus(true, Map.of());
	}

	/**
	 * Claims a key: the first writer wins.
	 * @param id the key's identity
	 * @param claim the claim to write if there is no record
	 * @return {@link Claim.Won} or what is there instead
	 */
	Mono<Claim> claim(RecordId id, IdempotencyRecord claim);

	/**
	 * Takes over a record whose outcome is unknown, or a job at rest, in one step:
	 * succeeds only if the record still is as it was seen: same owner, and in the same
	 * state or still lapsed.
	 * @param id the key's identity
	 * @param seen the record as it was seen
	 * @param claim the claim to write instead, or another state of the job
	 * @return {@link Claim.Won} or what is there by now
	 */
	Mono<Claim> takeOver(RecordId id, Claim.Open seen, IdempotencyRecord claim);

	/**
	 * A sign of life: the record lives its whole lifetime from now on. A record that has
	 * vanished is written anew.
	 * @param id the key's identity
	 * @param claim the claim as it was won
	 * @return whether it still is ours
	 */
	Mono<Ownership> renew(RecordId id, IdempotencyRecord claim);

	/**
	 * Writes how the operation ended. Finding no record is a success, and it is then
	 * written. Meeting one's own outcome is a success too: an unknown one is replaced, a
	 * done one stays as it is, since nothing that comes later can be truer.
	 * @param id the key's identity
	 * @param settled the outcome, under the owner's token
	 * @return whether the claim was still ours
	 */
	Mono<Ownership> settle(RecordId id, IdempotencyRecord settled);

	/**
	 * Frees a key because the operation was surely not carried out.
	 * @param id the key's identity
	 * @param owner token of the claim
	 * @return whether the claim was still ours; a vanished one counts as ours
	 */
	Mono<Ownership> release(RecordId id, OwnerToken owner);

	/**
	 * Looks a record up without claiming.
	 * @param id the key's identity, or what an operator knows of it
	 * @return what is there, never {@link Claim.Won}; empty if there is none
	 */
	Mono<Claim> find(RecordId id);

	/**
	 * Removes a record whose operation does not run, because an operator says so.
	 * @param id the key's identity
	 * @param seen owner token of the record as he saw it
	 * @return {@link Ownership#OURS} if it is gone, {@link Ownership#FENCED} if another
	 * record is there by now, or this one is a claim whose lease has not lapsed
	 */
	Mono<Ownership> forget(RecordId id, OwnerToken seen);

	/**
	 * Enters a room that only one may be in at a time for a key, across all instances: to
	 * spare the backend the same question twice, not to decide anything.
	 * @param id the key's identity
	 * @param visitor token of the one who enters
	 * @param atMost for how long, should he never leave
	 * @return whether he may enter
	 */
	Mono<Boolean> enter(RecordId id, OwnerToken visitor, Duration atMost);

	/**
	 * Leaves the room again; does nothing for somebody who is not in it.
	 * @param id the key's identity
	 * @param visitor token of the one who leaves
	 * @return completes when he is out
	 */
	Mono<Void> leave(RecordId id, OwnerToken visitor);

	/** Whether a claim still belongs to the one who asks. */
	enum Ownership {

		/** It does. */
		OURS,
		/** It has another owner: nothing was changed. */
		FENCED

	}

}
