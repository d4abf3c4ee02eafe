package dev.idempotency.observability;

import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.gateway.ProtectedRoutes;
import dev.idempotency.gateway.RecordLocator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What became of key X: the digest under which the record of a request is found, and the
 * record. The key comes in the body of a POST, since addresses end up in logs. It changes
 * nothing, so it is an endpoint of its own that may be open where writing is not.
 *
 * @since 0.1.0
 */
@Endpoint(id = "idempotencydigest", defaultAccess = Access.UNRESTRICTED)
public class IdempotencyDigestEndpoint {

	private static final WebEndpointResponse<Map<String, Object>> NO_ROUTE = OperatorsWord.answer(404,
			"no protected route has this id; /actuator/idempotency lists them");

	private final ProtectedRoutes routes;

	private final IdempotencyStore store;

	/**
	 * For one instance.
	 * @param routes under protection
	 * @param store in use
	 */
	public IdempotencyDigestEndpoint(ProtectedRoutes routes, IdempotencyStore store) {
		this.routes = routes;
		this.store = store;
	}

	/**
	 * Looks a request up.
	 * @param route id of the route it came in on
	 * @param key as the client sent it
	 * @param host as in the header {@code Host}, the default port left out
	 * @param path as the client sent it, without query
	 * @param caller {@code SOURCE=IDENTITY}, for instance {@code header:X-Tenant=acme};
	 * left out for a caller who shares the bucket of the anonymous
	 * @param method of the request, POST if left out
	 * @return 200 with the digest and the record, whose state is {@code none} if there is
	 * none; 400 for a request that cannot be, 404 for a route that is not, 503 if nobody
	 * can say
	 */
	@WriteOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> locate(String route, String key, String host, String path,
			@Nullable String caller, @Nullable String method) {
		RecordLocator.Description request = new RecordLocator.Description((caller != null) ? caller : "",
				(method != null) ? method : "POST", host, path, key);
		return this.routes.current()
			.filter((filter) -> filter.routeId().equals(route))
			.next()
			.map((filter) -> new RecordLocator(filter.policy()).locate(request))
			.flatMap(this::find)
			.onErrorResume(IllegalArgumentException.class,
					(error) -> Mono.just(OperatorsWord.answer(400, String.valueOf(error.getMessage()))))
			.defaultIfEmpty(NO_ROUTE);
	}

	private Mono<WebEndpointResponse<Map<String, Object>>> find(RecordId id) {
		return this.store.find(id)
			.map(RecordView::of)
			.defaultIfEmpty(Map.of("state", "none"))
			.map((record) -> answer(200, id, record))
			.onErrorResume(StoreUnavailableException.class,
					(error) -> Mono.just(answer(503, id, Map.of("error", "the store cannot be reached"))));
	}

	private static WebEndpointResponse<Map<String, Object>> answer(int status, RecordId id,
			Map<String, Object> record) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("digest", id.digest());
		view.put("record", record);
		return new WebEndpointResponse<>(view, status);
	}

}
