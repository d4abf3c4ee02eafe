package dev.idempotency.testing;

import java.time.Duration;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import reactor.core.publisher.Mono;

/** A store of somebody else's making, in front of one of ours. */
public class ForwardingStore implements IdempotencyStore {

	private final IdempotencyStore store;

	protected ForwardingStore(IdempotencyStore store) {
		this.store = store;
	}

	@Override
	public String name() {
		return "forwarding";
	}

	@Override
	public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
		return this.store.claim(id, claim);
	}

	@Override
	public Mono<Claim> takeOver(RecordId id, Claim.Open seen, IdempotencyRecord claim) {
		return this.store.takeOver(id, seen, claim);
	}

	@Override
	public Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
		return this.store.renew(id, claim);
	}

	@Override
	public Mono<Ownership> settle(RecordId id, IdempotencyRecord settled) {
		return this.store.settle(id, settled);
	}

	@Override
	public Mono<Ownership> release(RecordId id, OwnerToken owner) {
		return this.store.release(id, owner);
	}

	@Override
	public Mono<Claim> find(RecordId id) {
		return this.store.find(id);
	}

	@Override
	public Mono<Ownership> forget(RecordId id, OwnerToken seen) {
		return this.store.forget(id, seen);
	}

	@Override
	public Mono<Boolean> enter(RecordId id, OwnerToken visitor, Duration atMost) {
		return this.store.enter(id, visitor, atMost);
	}

	@Override
	public Mono<Void> leave(RecordId id, OwnerToken visitor) {
		return this.store.leave(id, visitor);
	}

}
