package dev.idempotency.store;

import java.time.Duration;
import java.util.function.Function;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreStatus;

/**
 * Compresses and encrypts answers and requests on their way into a store, whichever it
 * is, and gives them their own form back on the way out. What cannot be read makes its
 * record unreadable, never free.
 *
 * @since 0.1.0
 */
public final class PackingStore implements IdempotencyStore {

	/** Beyond it the work is kept away from the threads that serve connections. */
	private static final int LARGE = 64 * 1024;

	private final IdempotencyStore store;

	private final RecordPacking packing;

	/**
	 * In front of a store.
	 * @param store what keeps the records
	 * @param packing the form in which it does
	 */
	public PackingStore(IdempotencyStore store, RecordPacking packing) {
		this.store = store;
		this.packing = packing;
	}

	@Override
	public String name() {
		return this.store.name();
	}

	@Override
	public StoreStatus status() {
		return this.store.status();
	}

	@Override
	public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
		return packed(id, claim, (record) -> unpacked(id, this.store.claim(id, record)));
	}

	@Override
	public Mono<Claim> takeOver(RecordId id, Claim.Open seen, IdempotencyRecord claim) {
		return packed(id, claim,
				(record) -> unpacked(id, this.store.takeOver(id, this.packing.pack(id, seen), record)));
	}

	@Override
	public Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
		return packed(id, claim, (record) -> this.store.renew(id, record));
	}

	@Override
	public Mono<Ownership> settle(RecordId id, IdempotencyRecord settled) {
		return packed(id, settled, (record) -> this.store.settle(id, record));
	}

	@Override
	public Mono<Ownership> release(RecordId id, OwnerToken owner) {
		return this.store.release(id, owner);
	}

	@Override
	public Mono<Claim> find(RecordId id) {
		return unpacked(id, this.store.find(id));
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

	private <T> Mono<T> packed(RecordId id, IdempotencyRecord record, Function<IdempotencyRecord, Mono<T>> step) {
		if (record.response() == null && record.job() == null) {
			return step.apply(record);
		}
		Mono<T> packed = Mono.defer(() -> step.apply(this.packing.pack(id, record)));
		return (record.size() > LARGE) ? packed.subscribeOn(Schedulers.parallel()) : packed;
	}

	private Mono<Claim> unpacked(RecordId id, Mono<Claim> met) {
		return met.map((claim) -> this.packing.unpack(id, claim));
	}

}
