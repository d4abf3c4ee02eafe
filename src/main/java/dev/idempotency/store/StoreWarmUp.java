package dev.idempotency.store;

import java.time.Duration;
import java.util.List;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Fingerprint;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;

/**
 * Walks a store through what requests will ask of it, until the code on the way is
 * compiled. Without it the first burst after a start, interpreted instruction by
 * instruction, keeps replies waiting longer than a claim may take.
 *
 * <p>
 * The records it writes are under names of its own, and gone at the end; where a call
 * fails or the process dies they live for some seconds.
 *
 * @since 0.1.0
 */
public final class StoreWarmUp {

	/** Longest time the walk takes, and how long it waits for a store that is away. */
	public static final Duration LIMIT = Duration.ofSeconds(2);

	private static final Duration LIFETIME = Duration.ofSeconds(5);

	private static final Duration PAUSE = Duration.ofMillis(20);

	/** As many at once as a burst has, for the batching on the way. */
	private static final int AT_ONCE = 16;

	private static final int ROUNDS = 64;

	/** Of {@value #ROUNDS} each; cold ones take ten times {@link #WARM}. */
	private static final int STAGES = 10;

	/** How long a stage takes that meets compiled code, on a store that is near. */
	private static final Duration WARM = Duration.ofMillis(60);

	private static final Fingerprint NOTHING = new Fingerprint(0, new byte[Fingerprint.LENGTH],
			new byte[Fingerprint.LENGTH]);

	private final IdempotencyStore store;

	/**
	 * A walk that has not begun.
	 * @param store where it goes
	 */
	public StoreWarmUp(IdempotencyStore store) {
		this.store = store;
	}

	/**
	 * Goes once.
	 * @return completes when the store is warm or {@link #LIMIT} is used up; never fails
	 */
	public Mono<Void> walk() {
		return Flux.interval(Duration.ZERO, PAUSE)
			.filter((tick) -> this.store.status().serving())
			.next()
			.then(stage())
			.repeat(STAGES - 1)
			.takeUntil((took) -> took.compareTo(WARM) < 0)
			.then()
			.timeout(LIMIT)
			.onErrorComplete();
	}

	/** How long the next rounds take. */
	private Mono<Duration> stage() {
		return Mono.defer(() -> {
			long start = System.nanoTime();
			return Flux.range(0, ROUNDS)
				.flatMap((number) -> round().onErrorComplete(), AT_ONCE)
				.then(Mono.fromSupplier(() -> Duration.ofNanos(System.nanoTime() - start)));
		});
	}

	/** New key, duplicate, outcome, replay; and away with it. */
	private Mono<?> round() {
		OwnerToken owner = OwnerToken.random();
		RecordId id = RecordId.of(List.of("warm-up", owner.toString()));
		IdempotencyRecord claim = claim(id, owner);
		return this.store.claim(id, claim)
			.then(this.store.claim(id, claim(id, OwnerToken.random())))
			.then(this.store.settle(id, claim.settled(State.DONE, LIFETIME, 1, StoredResponse.tombstone(204))))
			.then(this.store.claim(id, claim(id, OwnerToken.random())))
			.then(this.store.forget(id, owner));
	}

	private static IdempotencyRecord claim(RecordId id, OwnerToken owner) {
		return new IdempotencyRecord(State.RUNNING, owner, LIFETIME, LIFETIME, id.check(), NOTHING, false, 0, null);
	}

}
