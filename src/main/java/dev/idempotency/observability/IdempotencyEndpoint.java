package dev.idempotency.observability;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobStatus;
import dev.idempotency.core.Operations;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.gateway.ProtectedRoutes;
import dev.idempotency.upstream.UpstreamRoute;
import reactor.core.publisher.Mono;

/**
 * What an operator may know: the effective policy of each route, and the state of one
 * record by its digest. It shows neither keys nor bodies.
 *
 * @since 0.1.0
 */
@Endpoint(id = "idempotency", defaultAccess = Access.READ_ONLY)
public class IdempotencyEndpoint {

	private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

	private final ProtectedRoutes routes;

	private final IdempotencyStore store;

	private final Operations operations;

	private final OperatorsWord word;

	/**
	 * For one instance.
	 * @param routes under protection
	 * @param store in use
	 * @param operations that run now
	 */
	public IdempotencyEndpoint(ProtectedRoutes routes, IdempotencyStore store, Operations operations) {
		this.routes = routes;
		this.store = store;
		this.operations = operations;
		this.word = new OperatorsWord(store);
	}

	/** Everything but single records. */
	@ReadOperation
	public Mono<Map<String, Object>> summary() {
		return this.routes.current().collectList().map(filters -> {
			Map<String, Object> byRoute = new TreeMap<>();
			for (ProtectedRoutes.Filter filter : filters) {
				byRoute.put(filter.routeId(), view(filter));
			}
			Map<String, Object> view = new LinkedHashMap<>();
			view.put("enabled", true);
			view.put("store", this.store.name());
			view.put("storeServing", this.store.status().serving());
			view.put("storeFacts", new TreeMap<>(this.store.status().facts()));
			view.put("identityRules", ProtectedRoutes.identityRules());
			view.put("inFlight", this.operations.count());
			view.put("routes", byRoute);
			return view;
		});
	}

	private static Map<String, Object> view(ProtectedRoutes.Filter filter) {
		Map<String, Object> view = PolicyView.of(filter.policy());
		UpstreamRoute upstream = filter.upstream();
		if (upstream != null) {
			view.put("circuit", upstream.circuitState());
			view.put("inFlight", upstream.inFlight());
			view.put("lateAttempts", upstream.lateAttempts());
		}
		return view;
	}

	/**
	 * One record.
	 * @param digest its name in the store, without the prefix
	 * @return 200 with its state, 404 if there is none, 503 if nobody can say
	 */
	@ReadOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> record(@Selector String digest) {
		if (!DIGEST.matcher(digest).matches()) {
			return Mono.just(OperatorsWord.NO_RECORD);
		}
		return this.store.find(RecordId.ofDigest(digest))
			.map(claim -> new WebEndpointResponse<>(view(claim)))
			.defaultIfEmpty(OperatorsWord.NO_RECORD)
			.onErrorReturn(StoreUnavailableException.class, OperatorsWord.UNREACHABLE);
	}

	/**
	 * Settles by an operator's word what cannot be known otherwise.
	 * @param digest the record's name in the store, without the prefix
	 * @param action {@code resolve-applied}, {@code resolve-not-applied} or
	 * {@code forget}
	 * @return 200 with what was done, 400 for another action, 404 if there is no record,
	 * 409 if it is not in a state for that
	 */
	@WriteOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> act(@Selector String digest, String action) {
		return DIGEST.matcher(digest).matches() ? this.word.act(RecordId.ofDigest(digest), action)
				: Mono.just(OperatorsWord.NO_RECORD);
	}

	private static Map<String, Object> view(Claim claim) {
		Map<String, Object> view = new LinkedHashMap<>();
		if (claim instanceof Claim.Running running) {
			view.put("state", "running");
			view.put("age", running.record().lease().minus(running.leaseLeft()).toString());
			view.put("leaseLeft", running.leaseLeft().toString());
			put(view, running.record());
		}
		else if (claim instanceof Claim.Finished finished) {
			view.put("state", "done");
			view.put("age", finished.age().toString());
			put(view, finished.record());
		}
		else if (claim instanceof Claim.UnknownOutcome unknown) {
			view.put("state", unknown.lapsed() ? "lapsed" : "unknown");
			view.put("age", unknown.age().toString());
			put(view, unknown.record());
		}
		else if (claim instanceof Claim.AtRest rest) {
			view.put("state", rest.record().state().name().toLowerCase(Locale.ROOT));
			view.put("age", rest.age().toString());
			put(view, rest.record());
		}
		else {
			view.put("state", "unreadable");
		}
		return view;
	}

	private static void put(Map<String, Object> view, IdempotencyRecord record) {
		view.put("attempts", record.attempts());
		view.put("fingerprint", record.fingerprint().toString());
		if (record.job() != null) {
			view.put("job", JobStatus.of(record).name());
		}
		StoredResponse response = record.response();
		if (response != null) {
			view.put("status", response.status());
			view.put("replayable", response.isReplayable());
		}
	}

}
