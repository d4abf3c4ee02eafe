package dev.idempotency.gateway;

import dev.idempotency.core.Claim;
import dev.idempotency.core.EngineEvents;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.KeyedRequest;
import dev.idempotency.core.RequestResult;
import dev.idempotency.core.StoredResponse;
import java.time.Duration;
import java.util.function.Function;

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

	private final Function<byte[], KeyedRequest> identify;

	/**
	 * What became of the claim. A backend may answer before the end of the body that it
	 * has read is known here, so its answer waits for this.
	 */
	private final Sinks.One<Won> won = Sinks.one();

	Observation(IdempotencyPolicy policy, IdempotencyStore store, EngineEvents events,
			Function<byte[], KeyedRequest> identify) {
		this.policy = policy;
		this.store = store;
		this.events = events;
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
		if (claim instanceof Claim.Running running) {
			return of(request, running.record(), RequestResult.OBSERVED_IN_PROGRESS);
		}
		if (claim instanceof Claim.Finished finished) {
			return of(request, finished.record(), RequestResult.OBSERVED_REPLAY);
		}
		if (claim instanceof Claim.Open open) {
			return of(request, open.record(), RequestResult.OBSERVED_IN_PROGRESS);
		}
		return RequestResult.OBSERVED_NEW;
	}

	private static RequestResult of(KeyedRequest request, IdempotencyRecord record, RequestResult result) {
		return request.fingerprint().matches(record.fingerprint()) ? result : RequestResult.OBSERVED_REUSE;
	}

	/** A key that was new. */
	private record Won(KeyedRequest request, IdempotencyRecord record) {
	}

}
