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
import dev.idempotency.core.StoredResponse;

/**
 * Compresses and encrypts answers on their way into a store, whichever it is, and gives
 * them their own form back on the way out. An answer that cannot be read makes its record
 * unreadable, never free.
 *
 * @since 0.1.0
 */
public final class PackingStore implements IdempotencyStore {

	/** Beyond it the work is kept away from the threads that serve connections. */
	private static final int LARGE = 64 * 1024;

	private final IdempotencyStore store;

	private final AnswerPacking packing;

	/**
	 * In front of a store.
	 * @param store what keeps the records
	 * @param compress whether bodies are compressed where that is worth it
	 * @param cipher what encrypts
	 */
	public PackingStore(IdempotencyStore store, boolean compress, RecordCipher cipher) {
		this.store = store;
		this.packing = new AnswerPacking(compress, cipher);
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
		return unpacked(id, this.store.claim(id, claim));
	}

	@Override
	public Mono<Claim> takeOver(RecordId id, Claim.UnknownOutcome seen, IdempotencyRecord claim) {
		return packed(id, seen.record(),
				(record) -> unpacked(id, this.store.takeOver(id, new Claim.UnknownOutcome(record, seen.age()), claim)));
	}

	@Override
	public Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
		return this.store.renew(id, claim);
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
		StoredResponse answer = record.response();
		if (answer == null || !answer.isReplayable()) {
			return step.apply(record);
		}
		Mono<T> packed = Mono
			.defer(() -> step.apply(record.withResponse(this.packing.pack(answer, id, record.owner()))));
		return (answer.size() > LARGE) ? packed.subscribeOn(Schedulers.parallel()) : packed;
	}

	private Mono<Claim> unpacked(RecordId id, Mono<Claim> met) {
		return met.map((claim) -> unpacked(id, claim));
	}

	private Claim unpacked(RecordId id, Claim claim) {
		try {
			if (claim instanceof Claim.Finished finished) {
				return new Claim.Finished(unpacked(id, finished.record()), finished.age());
			}
			if (claim instanceof Claim.UnknownOutcome unknown) {
				return new Claim.UnknownOutcome(unpacked(id, unknown.record()), unknown.age());
			}
			return claim;
		}
		catch (UnreadableRecordException ex) {
			return new Claim.Unreadable(ex.reason());
		}
	}

	private IdempotencyRecord unpacked(RecordId id, IdempotencyRecord record) {
		StoredResponse kept = record.response();
		return (kept == null || !Marked.isMarked(kept)) ? record
				: record.withResponse(this.packing.unpack(kept, id, record.owner()));
	}

}
