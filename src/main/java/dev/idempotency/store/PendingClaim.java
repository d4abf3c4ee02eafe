package dev.idempotency.store;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.RecordId;

/**
 * One claim on its way. From its send until its reply is handed on it may stand in the
 * store without anybody knowing; if it ends so, it is withdrawn.
 *
 * @since 0.1.0
 */
public final class PendingClaim {

	private final RecordId id;

	private final IdempotencyRecord claim;

	private final Claim.@Nullable Open before;

	private volatile boolean inDoubt;

	/**
	 * A claim that has not been sent.
	 * @param id the key's identity
	 * @param claim the claim
	 * @param before what it takes over; {@code null} for a free key
	 */
	public PendingClaim(RecordId id, IdempotencyRecord claim, Claim.@Nullable Open before) {
		this.id = id;
		this.claim = claim;
		this.before = before;
	}

	/** The key's identity. */
	public RecordId id() {
		return this.id;
	}

	/** The claim. */
	public IdempotencyRecord claim() {
		return this.claim;
	}

	/**
	 * From now on the store may apply it. Only the claim of somebody who waits for the
	 * reply is withdrawn. A job, and any state in which one rests, counts from the moment
	 * it is written: another gateway may have told a client so already.
	 */
	public void sent() {
		this.inDoubt = this.claim.state() == State.RUNNING;
	}

	/** The store has said that it did not. */
	public void notApplied() {
		this.inDoubt = false;
	}

	/**
	 * Withdraws the claim if it ends in doubt: by an error, or because nobody waits.
	 * @param <T> what it brings
	 * @param attempt its way to the store
	 * @param withdrawn where it is remembered then
	 * @return the same, guarded
	 */
	public <T> Mono<T> guard(Mono<T> attempt, WithdrawnClaims withdrawn) {
		return attempt.doOnEach((signal) -> {
			if (signal.isOnNext()) {
				this.inDoubt = false;
			}
			else if (signal.isOnError()) {
				withdraw(withdrawn);
			}
		}).doOnCancel(() -> withdraw(withdrawn));
	}

	private void withdraw(WithdrawnClaims withdrawn) {
		if (this.inDoubt) {
			this.inDoubt = false;
			withdrawn.add(this.id, this.claim.owner(), this.before);
		}
	}

}
