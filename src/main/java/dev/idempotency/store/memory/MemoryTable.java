package dev.idempotency.store.memory;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.idempotency.core.RecordId;
import org.jspecify.annotations.Nullable;

/**
 * The records by name, by expiry and by age, and how much they occupy. Not thread-safe:
 * the store locks it for each step.
 */
final class MemoryTable {

	/** A step pays for a few others at most, however many expired at once. */
	private static final int RECLAIM_STEP = 8;

	private final Map<RecordId, MemoryEntry> entries = new HashMap<>();

	private final TreeSet<MemoryEntry> byExpiry = new TreeSet<>(
			Comparator.<MemoryEntry>comparingLong((entry) -> entry.expiresAt())
				.thenComparingLong((entry) -> entry.number()));

	/** Records whose answer could become a tombstone, the oldest first. */
	private final TreeMap<Long, MemoryEntry> answers = new TreeMap<>();

	private final long maxBytes;

	private final LongSupplier nanoTime;

	private final long origin;

	private long bytes;

	/** Octets that tombstones in the place of all answers would save. */
	private long spare;

	private long puts;

	MemoryTable(long maxBytes, LongSupplier nanoTime) {
		this.maxBytes = maxBytes;
		this.nanoTime = nanoTime;
		this.origin = nanoTime.getAsLong();
	}

	@Nullable MemoryEntry get(RecordId id) {
		MemoryEntry entry = this.entries.get(id);
		if (entry != null && entry.expiresAt() <= now()) {
			remove(entry);
			return null;
		}
		return entry;
	}

	/** Puts a record, whether or not it fits. */
	void put(RecordId id, byte[] octets, Duration life) {
		MemoryEntry before = this.entries.get(id);
		if (before != null) {
			remove(before);
		}
		MemoryEntry entry = new MemoryEntry(id, octets, this.puts++, now() + nanos(life));
		this.entries.put(id, entry);
		this.byExpiry.add(entry);
		this.bytes += entry.size();
		if (entry.spare() > 0) {
			this.answers.put(entry.number(), entry);
			this.spare += entry.spare();
		}
	}

	void prolong(MemoryEntry entry, Duration life) {
		this.byExpiry.remove(entry);
		entry.expiresAt(now() + nanos(life));
		this.byExpiry.add(entry);
	}

	void remove(MemoryEntry entry) {
		this.entries.remove(entry.id());
		this.byExpiry.remove(entry);
		this.bytes -= entry.size();
		if (this.answers.remove(entry.number()) != null) {
			this.spare -= entry.spare();
		}
	}

	Duration remaining(MemoryEntry entry) {
		return Duration.ofNanos(entry.expiresAt() - now());
	}

	/**
	 * Makes room for a record, at the cost of old answers if need be; costs nothing if it
	 * would not fit even so.
	 * @param id whose
	 * @param octets the record
	 * @return whether it fits now
	 */
	boolean makeRoom(RecordId id, byte[] octets) {
		if (missing(id, octets) > 0) {
			reclaimAll();
		}
		MemoryEntry before = this.entries.get(id);
		long ownSpare = (before != null && this.answers.containsKey(before.number())) ? before.spare() : 0;
		if (missing(id, octets) > this.spare - ownSpare) {
			return false;
		}
		Iterator<MemoryEntry> oldest = this.answers.values().iterator();
		while (missing(id, octets) > 0) {
			MemoryEntry answer = oldest.next();
			if (answer != before) {
				oldest.remove();
				this.spare -= answer.spare();
				this.bytes -= answer.spare();
				answer.bury();
			}
		}
		return true;
	}

	void reclaimSome() {
		reclaim(RECLAIM_STEP);
	}

	void reclaimAll() {
		reclaim(Integer.MAX_VALUE);
	}

	MemoryUsage usage() {
		return new MemoryUsage(this.entries.size(), this.answers.size(), this.bytes, this.maxBytes);
	}

	private void reclaim(int atMost) {
		long now = now();
		for (int i = 0; i < atMost && !this.byExpiry.isEmpty() && this.byExpiry.first().expiresAt() <= now; i++) {
			remove(this.byExpiry.first());
		}
	}

	/** Octets by which a record would be too many. */
	private long missing(RecordId id, byte[] octets) {
		MemoryEntry before = this.entries.get(id);
		return this.bytes - ((before != null) ? before.size() : 0) + MemoryEntry.OVERHEAD + octets.length
				- this.maxBytes;
	}

	private long now() {
		return this.nanoTime.getAsLong() - this.origin;
	}

	private static long nanos(Duration life) {
		return Math.min(TimeUnit.NANOSECONDS.convert(life), Long.MAX_VALUE / 2);
	}

}
