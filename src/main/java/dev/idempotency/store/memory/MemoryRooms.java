package dev.idempotency.store.memory;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;

/** The rooms beside records that one visitor may be in at a time. */
final class MemoryRooms {

	private final Map<String, Visit> visits = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	MemoryRooms(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	boolean enter(RecordId id, OwnerToken visitor, Duration atMost) {
		long now = this.nanoTime.getAsLong();
		Visit mine = new Visit(visitor, now + atMost.toNanos());
		return this.visits.merge(id.digest(), mine, (there, next) -> there.isOver(now) ? next : there).equals(mine);
	}

	void leave(RecordId id, OwnerToken visitor) {
		this.visits.computeIfPresent(id.digest(), (digest, there) -> there.visitor().equals(visitor) ? null : there);
	}

	void sweep() {
		long now = this.nanoTime.getAsLong();
		this.visits.values().removeIf((visit) -> visit.isOver(now));
	}

	private record Visit(OwnerToken visitor, long until) {

		boolean isOver(long now) {
			return now - this.until >= 0;
		}

	}

}
