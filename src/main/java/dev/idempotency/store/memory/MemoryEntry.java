package dev.idempotency.store.memory;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.store.RecordCodec;
import dev.idempotency.store.UnreadableRecordException;

/**
 * A record and when it expires. Guarded by its table.
 *
 * <p>
 * Entries of equal time are told apart by their number, which also is their age.
 */
final class MemoryEntry {

	/**
	 * What a record occupies besides its octets: its name (24 + 104), the head of the
	 * array (16), this object (56), and a node each in the map (48), by expiry (40) and
	 * by age (40 + 24), rounded up.
	 */
	static final int OVERHEAD = 384;

	private final RecordId id;

	private final long number;

	private byte[] octets;

	private int spare;

	private long expiresAt;

	MemoryEntry(RecordId id, byte[] octets, long number, long expiresAt) {
		this.id = id;
		this.octets = octets;
		this.number = number;
		this.expiresAt = expiresAt;
		this.spare = octets.length - tombstone().length;
	}

	RecordId id() {
		return this.id;
	}

	byte[] octets() {
		return this.octets;
	}

	long number() {
		return this.number;
	}

	long expiresAt() {
		return this.expiresAt;
	}

	void expiresAt(long time) {
		this.expiresAt = time;
	}

	int size() {
		return OVERHEAD + this.octets.length;
	}

	/** Octets that a tombstone would save. */
	int spare() {
		return this.spare;
	}

	/** Forgets the answer, and nothing else. */
	void bury() {
		this.octets = tombstone();
		this.spare = 0;
	}

	boolean isRunning() {
		return RecordCodec.isRunning(this.octets);
	}

	boolean isClaim() {
		return RecordCodec.isClaim(this.octets);
	}

	boolean isDone() {
		return RecordCodec.isDone(this.octets);
	}

	boolean isOwnedBy(OwnerToken owner) {
		return owner.equals(RecordCodec.owner(this.octets));
	}

	private byte[] tombstone() {
		try {
			IdempotencyRecord record = RecordCodec.decode(this.octets, this.id);
			StoredResponse answer = record.response();
			return (answer != null) ? RecordCodec.encode(record.withResponse(StoredResponse.tombstone(answer.status())))
					: this.octets;
		}
		catch (UnreadableRecordException ex) {
			return this.octets;
		}
	}

}
