package dev.idempotency.observability;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.idempotency.core.Claim;
import dev.idempotency.core.Digests;
import dev.idempotency.core.Fingerprint;
import dev.idempotency.core.IdempotencyPolicy.Retention;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import org.jspecify.annotations.Nullable;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A real store with one record in it, by a clock that moves when a test says so. */
final class Records implements AutoCloseable {

	static final RecordId ID = RecordId.of(List.of("alice", "key"));

	static final Duration LEASE = Duration.ofSeconds(15);

	static final Retention RETENTION = new Retention(Duration.ofMinutes(5), Duration.ofMinutes(10), LEASE);

	static final StoredResponse ANSWER = new StoredResponse(201, List.of(new Header("X-Secret", "header")),
			"secret body".getBytes(StandardCharsets.UTF_8));

	final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

	final MemoryIdempotencyStore store = new MemoryIdempotencyStore(64 << 20,
			() -> this.time.now(TimeUnit.NANOSECONDS));

	static IdempotencyRecord claim(RecordId id) {
		byte[] digest = Digests.sha256().digest("body".getBytes(StandardCharsets.UTF_8));
		return IdempotencyRecord.claim(id, new Fingerprint(1, digest, digest), RETENTION);
	}

	IdempotencyRecord running() {
		IdempotencyRecord claim = claim(ID);
		this.store.claim(ID, claim).block();
		return claim;
	}

	IdempotencyRecord lapsed() {
		IdempotencyRecord claim = running();
		pass(LEASE.plusSeconds(1));
		return claim;
	}

	void settled(State state, @Nullable StoredResponse answer) {
		this.store.settle(ID, running().settled(state, RETENTION.ttl(), 2, answer)).block();
	}

	void pass(Duration time) {
		this.time.advanceTimeBy(time);
	}

	@Nullable Claim found() {
		return this.store.find(ID).block();
	}

	@Override
	public void close() {
		this.store.close();
		VirtualTimeScheduler.reset();
	}

}
