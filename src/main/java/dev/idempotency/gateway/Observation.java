package dev.idempotency.gateway;

import dev.idempotency.core.Claim;
import dev.idempotency.core.EngineEvents;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.KeyedRequest;
import dev.idempotency.core.RequestResult;
import dev.idempotency.core.StoredResponse;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatusCode;

/** One request that is watched. A store that is away costs its count and nothing else. */
final class Observation {

	private final IdempotencyPolicy policy;

	private final IdempotencyStore store;

	private final EngineEvents events;

	private volatile Mono<Won> won = Mono.empty();

	Observation(IdempotencyPolicy policy, IdempotencyStore store, EngineEvents events) {
		this.policy = policy;
		this.store = store;
		this.events = events;
	}

	void begin(KeyedRequest request) {
		IdempotencyRecord mine = IdempotencyRecord.claim(request.id(), request.fingerprint(), this.policy.retention());
		Mono<Won> claimed = this.store.claim(request.id(), mine)
			.doOnNext(claim -> this.events.counted(resultOf(request, claim)))
			.ofType(Claim.Won.class)
			.map(claim -> new Won(request, claim.record()))
			.onErrorComplete()
			.cache();
		this.won = claimed;
		claimed.subscribe();
	}

	void end(@Nullable HttpStatusCode status) {
		int code = (status != null) ? status.value() : 0;
		this.won.flatMap(claim -> conclude(claim, code)).onErrorComplete().subscribe();
	}

	private Mono<IdempotencyStore.Ownership> conclude(Won claim, int status) {
		if (this.policy.outcomes().releaseOn().contains(status)) {
			return this.store.release(claim.request().id(), claim.record().owner());
		}
		return this.store.settle(claim.request().id(),
				claim.record().settled(State.DONE, this.policy.retention().ttl(), 1, StoredResponse.tombstone(status)));
	}

	private static RequestResult resultOf(KeyedRequest request, Claim claim) {
		if (claim instanceof Claim.Running running) {
			return of(request, running.record(), RequestResult.OBSERVED_IN_PROGRESS);
		}
		if (claim instanceof Claim.Finished finished) {
			return of(request, finished.record(), RequestResult.OBSERVED_REPLAY);
		}
		if (claim instanceof Claim.UnknownOutcome unknown) {
			return of(request, unknown.record(), RequestResult.OBSERVED_IN_PROGRESS);
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
