package dev.idempotency.gateway;

import dev.idempotency.core.Claim;
import dev.idempotency.core.EngineEvents;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.KeyedRequest;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.RequestResult;
import dev.idempotency.core.StoredResponse;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.http.HttpStatusCode;

/**
 * One request that is watched. Whatever goes wrong here, or a store that is away, costs
 * its count and nothing else.
 */
final class Observation implements TeedRequest.Watcher {

	private final IdempotencyPolicy policy;

	private final IdempotencyStore store;

	private final EngineEvents events;

	private final Supplier<RecordId> identity;

	private final Function<byte[], KeyedRequest> identify;

	/**
	 * What became of the claim. A backend may answer before the end of the body that it
	 * has read is known here, so its answer waits for this.
	 */
	private final Sinks.One<Won> won = Sinks.one();

	Observation(IdempotencyPolicy policy, IdempotencyStore store, EngineEvents events, Supplier<RecordId> identity,
			Function<byte[], KeyedRequest> identify) {
		this.policy = policy;
		this.store = store;
		this.events = events;
		this.identity = identity;
		this.identify = identify;
	}

	@Override
	public void whole(byte[] body) {
		Mono.fromSupplier(() -> this.identify.apply(body))
			.flatMap(this::claim)
			.onErrorComplete()
			.subscribe(this.won::tryEmitValue, error -> this.won.tryEmitEmpty(), this.won::tryEmitEmpty);
	}

	private Mono<Won> claim(KeyedRequest request) {
		IdempotencyRecord mine = IdempotencyRecord.claim(request.id(), request.fingerprint(), this.policy.retention());
		return this.store.claim(request.id(), mine)
			.doOnNext(claim -> this.events.counted(resultOf(request, claim)))
			.ofType(Claim.Won.class)
			.map(claim -> new Won(request, claim.record()));
	}

	@Override
	public void tooLarge() {
		this.events.counted(RequestResult.OBSERVED_INVALID);
	}

	/** Counted by its key alone, and nothing is recorded that could be compared. */
	@Override
	public void unread() {
		Mono.fromSupplier(this.identity)
			.flatMap(this.store::find)
			.map(Observation::resultOf)
			.defaultIfEmpty(RequestResult.OBSERVED_NEW)
			.onErrorComplete()
			.subscribe(this.events::counted);
	}

	void answered(@Nullable HttpStatusCode status) {
		int code = (status != null) ? status.value() : 0;
		conclude(claim -> this.policy.outcomes().releaseOn().contains(code) ? release(claim)
				: settle(claim, State.DONE, this.policy.retention().ttl(), code));
	}

	/** The body was on its way, and nobody can say what became of it. */
	void brokenOff() {
		conclude(claim -> settle(claim, State.UNKNOWN, this.policy.retention().unknownTtl(), 0));
	}

	private void conclude(Function<Won, Mono<Ownership>> how) {
		this.won.asMono().flatMap(how).onErrorComplete().subscribe();
	}

	private Mono<Ownership> release(Won claim) {
		return this.store.release(claim.request().id(), claim.record().owner());
	}

	private Mono<Ownership> settle(Won claim, State state, Duration keep, int status) {
		return this.store.settle(claim.request().id(),
				claim.record().settled(state, keep, 1, StoredResponse.tombstone(status)));
	}

	private static RequestResult resultOf(KeyedRequest request, Claim claim) {
		IdempotencyRecord record = (claim instanceof Claim.Won) ? null : claim.recordIfAny();
		return (record == null || request.fingerprint().matches(record.fingerprint())) ? resultOf(claim)
				: RequestResult.OBSERVED_REUSE;
	}

	private static RequestResult resultOf(Claim claim) {
		if (claim instanceof Claim.Finished) {
			return RequestResult.OBSERVED_REPLAY;
		}
		return (claim instanceof Claim.Running || claim instanceof Claim.Open) ? RequestResult.OBSERVED_IN_PROGRESS
				: RequestResult.OBSERVED_NEW;
	}

	/** A key that was new. */
	private record Won(KeyedRequest request, IdempotencyRecord record) {
	}

}
