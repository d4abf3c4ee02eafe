package dev.idempotency.observability;

import java.util.Map;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.core.StoredResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Carries out what an operator decides about one record, and writes it into the audit
 * log. A running claim is nobody's to decide about.
 */
final class OperatorsWord {

	private static final Logger audit = LoggerFactory.getLogger("dev.idempotency.audit");

	private static final String ACCEPTED = "accepted actions: resolve-applied, resolve-not-applied, forget";

	static final WebEndpointResponse<Map<String, Object>> NO_RECORD = answer(404,
			"there is no record under this digest");

	static final WebEndpointResponse<Map<String, Object>> UNREACHABLE = answer(503, "the store cannot be reached");

	private final IdempotencyStore store;

	private final OpenDoubts doubts;

	OperatorsWord(IdempotencyStore store, OpenDoubts doubts) {
		this.store = store;
		this.doubts = doubts;
	}

	Mono<WebEndpointResponse<Map<String, Object>>> act(RecordId id, String action, String operator) {
		if (!action.equals("resolve-applied") && !action.equals("resolve-not-applied") && !action.equals("forget")) {
			return Mono.just(answer(400, ACCEPTED));
		}
		return this.store.find(id)
			.flatMap((claim) -> act(id, action, claim))
			.defaultIfEmpty(NO_RECORD)
			.onErrorReturn(StoreUnavailableException.class, UNREACHABLE)
			.doOnNext((answer) -> note(id, action, operator, answer.getStatus()));
	}

	private void note(RecordId id, String action, String operator, int status) {
		if (status == 200) {
			this.doubts.remove(id);
		}
		audit.atInfo()
			.addKeyValue("idempotency.digest", id.digest())
			.addKeyValue("idempotency.action", action)
			.addKeyValue("idempotency.operator", operator)
			.addKeyValue("idempotency.status", status)
			.log("{} on {} by {}: {}", action, id, operator, (status == 200) ? "done" : "refused with " + status);
	}

	private Mono<WebEndpointResponse<Map<String, Object>>> act(RecordId id, String action, Claim claim) {
		if (claim instanceof Claim.UnknownOutcome unknown) {
			return (action.equals("resolve-applied") ? this.store.settle(id, applied(unknown.record()))
					: this.store.forget(id, unknown.record().owner()))
				.map((ownership) -> done(action, ownership));
		}
		OwnerToken owner = (claim instanceof Claim.Running) ? null : claim.ownerIfAny();
		return action.equals("forget") ? forget(id, owner)
				: Mono.just(answer(409, "only an unknown outcome can be resolved"));
	}

	private Mono<WebEndpointResponse<Map<String, Object>>> forget(RecordId id, @Nullable OwnerToken owner) {
		if (owner == null) {
			return Mono.just(answer(409,
					"the operation is running, or what is there has nothing of a record and has to be deleted in the store"));
		}
		return this.store.forget(id, owner).map((ownership) -> done("forget", ownership));
	}

	private static IdempotencyRecord applied(IdempotencyRecord record) {
		return record.settled(State.DONE, record.lifetime(), record.attempts(), StoredResponse.tombstone(0));
	}

	private static WebEndpointResponse<Map<String, Object>> done(String action, Ownership ownership) {
		return (ownership == Ownership.OURS) ? answer(200, action) : answer(409, "the record has changed meanwhile");
	}

	static WebEndpointResponse<Map<String, Object>> answer(int status, String text) {
		return new WebEndpointResponse<>(Map.of((status == 200) ? "done" : "error", text), status);
	}

}
