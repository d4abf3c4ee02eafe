package dev.idempotency.observability;

import java.security.Principal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobStatus;
import dev.idempotency.core.Operations;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.gateway.ProtectedRoutes;
import dev.idempotency.upstream.UpstreamRoute;
import org.jspecify.annotations.Nullable;
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

	private final RouteObservers seen;

	private final OperatorsWord word;

	private final Instant since;

	/**
	 * For one instance.
	 * @param routes under protection
	 * @param store in use
	 * @param operations that run now
	 * @param seen what became of requests so far
	 * @param clock for the time since when
	 */
	public IdempotencyEndpoint(ProtectedRoutes routes, IdempotencyStore store, Operations operations,
			RouteObservers seen, InstantSource clock) {
		this.routes = routes;
		this.store = store;
		this.operations = operations;
		this.seen = seen;
		this.word = new OperatorsWord(store, seen.doubts());
		this.since = clock.instant();
	}

	/** Everything but single records. */
	@ReadOperation
	public Mono<Map<String, Object>> summary() {
		return Mono.zip(this.routes.current().collectList(), this.routes.unprotected().collectList(), this::summary);
	}

	private Map<String, Object> summary(List<ProtectedRoutes.Filter> filters, List<String> unprotected) {
		Map<String, RouteTally> tallies = this.seen.tallies();
		Map<String, Object> byRoute = new TreeMap<>();
		for (ProtectedRoutes.Filter filter : filters) {
			byRoute.put(filter.routeId(), view(filter, tallies.get(filter.routeId())));
		}
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("enabled", true);
		view.put("since", this.since.toString());
		view.put("executionsSaved", this.seen.saved());
		view.put("store", this.store.name());
		view.put("storeServing", this.store.status().serving());
		view.put("storeFacts", new TreeMap<>(this.store.status().facts()));
		view.put("identityRules", ProtectedRoutes.identityRules());
		view.put("inFlight", this.operations.count());
		view.put("inFlightOldest", this.operations.oldest().toString());
		view.put("unknown", this.seen.doubts().latest());
		view.put("unprotectedRoutes", unprotected.stream().sorted().toList());
		view.put("routes", byRoute);
		return view;
	}

	private static Map<String, Object> view(ProtectedRoutes.Filter filter, @Nullable RouteTally tally) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("protected", filter.policy().mode() == IdempotencyPolicy.Mode.ENFORCE);
		if (tally != null) {
			view.put("requests", tally.byResult());
			view.put("executionsSaved", tally.saved());
		}
		view.putAll(PolicyView.of(filter.policy()));
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
			.map(claim -> new WebEndpointResponse<>(RecordView.of(claim)))
			.defaultIfEmpty(OperatorsWord.NO_RECORD)
			.onErrorReturn(StoreUnavailableException.class, OperatorsWord.UNREACHABLE);
	}

	/**
	 * Settles by an operator's word what cannot be known otherwise.
	 * @param digest the record's name in the store, without the prefix
	 * @param action {@code resolve-applied}, {@code resolve-not-applied} or
	 * {@code forget}
	 * @param operator who says so, as far as the application knows him
	 * @return 200 with what was done, 400 for another action, 404 if there is no record,
	 * 409 if it is not in a state for that
	 */
	@WriteOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> act(@Selector String digest, String action,
			SecurityContext operator) {
		return DIGEST.matcher(digest).matches() ? this.word.act(RecordId.ofDigest(digest), action, nameOf(operator))
				: Mono.just(OperatorsWord.NO_RECORD);
	}

	private static String nameOf(SecurityContext operator) {
		Principal principal = operator.getPrincipal();
		return (principal != null) ? principal.getName() : "somebody not signed in";
	}

}
