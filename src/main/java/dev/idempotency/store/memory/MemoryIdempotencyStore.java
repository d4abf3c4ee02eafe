package dev.idempotency.store.memory;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.core.StoreStatus;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.store.RecordCodec;
import dev.idempotency.store.RecordReader;
import dev.idempotency.store.StoreContact;

/**
 * Keeps records in the memory of this process: it protects one instance only and forgets
 * everything at a restart.
 *
 * <p>
 * Its size is bounded. Nothing is dropped before its time: when it is full the oldest
 * settled answers become tombstones, and when even that is not enough claims fail with
 * {@link StoreUnavailableException}. An outcome always finds room, if need be without its
 * answer.
 *
 * @since 0.1.0
 */
public final class MemoryIdempotencyStore implements IdempotencyStore, AutoCloseable {

	private static final Duration BEAT = StoreContact.GAP.dividedBy(2);

	private final MemoryTable table;

	private final MemoryRooms rooms;

	private final StoreContact contact;

	private final RecordReader reader;

	private final Disposable beating;

	/**
	 * An empty store by the clock of the machine.
	 * @param maxBytes most octets it may occupy, its own book-keeping included
	 */
	public MemoryIdempotencyStore(long maxBytes) {
		this(maxBytes, System::nanoTime);
	}

	/**
	 * An empty store by a clock of the caller's.
	 * @param maxBytes most octets it may occupy, its own book-keeping included
	 * @param nanoTime monotonic nanoseconds
	 */
	public MemoryIdempotencyStore(long maxBytes, LongSupplier nanoTime) {
		this.table = new MemoryTable(maxBytes, nanoTime);
		this.rooms = new MemoryRooms(nanoTime);
		this.contact = new StoreContact(nanoTime);
		this.reader = new RecordReader(this.contact);
		this.contact.succeeded();
		this.beating = Schedulers.parallel()
			.schedulePeriodically(this::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public String name() {
		return "memory";
	}

	@Override
	public StoreStatus status() {
		MemoryUsage usage = usage();
		return new StoreStatus(true, Map.of("records", usage.records(), "answers", usage.answers(), "bytes",
				usage.bytes(), "maxBytes", usage.maxBytes(), "durable", false));
	}

	@Override
	public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
		return step(() -> {
			MemoryEntry there = this.table.get(id);
			return (there != null && !isOwn(there, claim)) ? meaning(id, there) : won(id, claim);
		});
	}

	@Override
	public Mono<Claim> takeOver(RecordId id, Claim.Open seen, IdempotencyRecord claim) {
		return step(() -> {
			MemoryEntry there = this.table.get(id);
			if (there == null || isOwn(there, claim)) {
				return won(id, claim);
			}
			Claim now = meaning(id, there);
			boolean asSeen = there.isOwnedBy(seen.record().owner())
					&& (now instanceof Claim.UnknownOutcome || now instanceof Claim.AtRest && isAs(there, seen));
			return asSeen ? won(id, claim) : now;
		});
	}

	@Override
	public Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
		return step(() -> {
			MemoryEntry there = this.table.get(id);
			if (there == null) {
				won(id, claim);
			}
			else if (!there.isOwnedBy(claim.owner())) {
				return Ownership.FENCED;
			}
			else if (there.isRunning()) {
				this.table.prolong(there, claim.lifetime());
			}
			return Ownership.OURS;
		});
	}

	@Override
	public Mono<Ownership> settle(RecordId id, IdempotencyRecord settled) {
		return step(() -> {
			MemoryEntry there = this.table.get(id);
			if (there != null && !there.isOwnedBy(settled.owner())) {
				return Ownership.FENCED;
			}
			if (there == null || !there.isDone()) {
				keep(id, settled);
			}
			return Ownership.OURS;
		});
	}

	@Override
	public Mono<Ownership> release(RecordId id, OwnerToken owner) {
		return step(() -> {
			MemoryEntry there = this.table.get(id);
			if (there != null && !there.isOwnedBy(owner)) {
				return Ownership.FENCED;
			}
			if (there != null && there.isClaim()) {
				this.table.remove(there);
			}
			return Ownership.OURS;
		});
	}

	@Override
	public Mono<Claim> find(RecordId id) {
		return step(() -> {
			MemoryEntry there = this.table.get(id);
			return (there != null) ? meaning(id, there) : null;
		});
	}

	@Override
	public Mono<Ownership> forget(RecordId id, OwnerToken seen) {
		return step(() -> {
			MemoryEntry there = this.table.get(id);
			if (there == null) {
				return Ownership.OURS;
			}
			if (!there.isOwnedBy(seen) || meaning(id, there) instanceof Claim.Running) {
				return Ownership.FENCED;
			}
			this.table.remove(there);
			return Ownership.OURS;
		});
	}

	@Override
	public Mono<Boolean> enter(RecordId id, OwnerToken visitor, Duration atMost) {
		return Mono.fromSupplier(() -> this.rooms.enter(id, visitor, atMost));
	}

	@Override
	public Mono<Void> leave(RecordId id, OwnerToken visitor) {
		return Mono.fromRunnable(() -> this.rooms.leave(id, visitor));
	}

	/** What it holds at the moment. */
	public MemoryUsage usage() {
		synchronized (this.table) {
			return this.table.usage();
		}
	}

	/** Stops looking for expired records; the records stay. */
	@Override
	public void close() {
		this.beating.dispose();
	}

	/**
	 * Contact with one's own memory is never lost, but a process that was frozen could
	 * not renew its claims: the beat tells.
	 */
	void beat() {
		this.contact.succeeded();
		this.rooms.sweep();
		synchronized (this.table) {
			this.table.reclaimAll();
		}
	}

	/** Stands in for damage, which memory does not suffer by itself. */
	void plant(RecordId id, byte[] octets, Duration life) {
		synchronized (this.table) {
			this.table.put(id, octets, life);
		}
	}

	private <T> Mono<T> step(Supplier<@Nullable T> step) {
		return Mono.fromSupplier(() -> {
			synchronized (this.table) {
				this.table.reclaimSome();
				return step.get();
			}
		});
	}

	private Claim won(RecordId id, IdempotencyRecord claim) {
		byte[] octets = RecordCodec.encode(claim);
		if (!this.table.makeRoom(id, octets)) {
			throw new StoreUnavailableException("The memory store is full", null);
		}
		this.table.put(id, octets, claim.lifetime());
		return new Claim.Won(claim);
	}

	private void keep(RecordId id, IdempotencyRecord settled) {
		byte[] octets = RecordCodec.encode(settled);
		StoredResponse answer = settled.response();
		if (answer != null && !this.table.makeRoom(id, octets)) {
			octets = RecordCodec.encode(settled.withResponse(StoredResponse.tombstone(answer.status())));
		}
		this.table.put(id, octets, settled.lifetime());
	}

	private Claim meaning(RecordId id, MemoryEntry there) {
		return this.reader.read(id, there.octets(), this.table.remaining(there));
	}

	private static boolean isOwn(MemoryEntry there, IdempotencyRecord claim) {
		return there.isOwnedBy(claim.owner()) && RecordCodec.isAs(there.octets(), claim);
	}

	private static boolean isAs(MemoryEntry there, Claim.Open seen) {
		return RecordCodec.isAs(there.octets(), seen.record());
	}

}
