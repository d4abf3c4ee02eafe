package dev.idempotency.observability;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * What an operator sees while the kill switch is thrown.
 *
 * @since 0.1.0
 */
@Endpoint(id = "idempotency", defaultAccess = Access.READ_ONLY)
public class BypassedEndpoint {

	private final RouteObservers seen;

	/**
	 * For one instance.
	 * @param seen what became of requests so far
	 */
	public BypassedEndpoint(RouteObservers seen) {
		this.seen = seen;
	}

	/** That nothing is protected, and how many requests that concerned. */
	@ReadOperation
	public Map<String, Object> summary() {
		Map<String, Object> routes = new TreeMap<>();
		this.seen.tallies()
			.forEach((route, tally) -> routes.put(route, Map.of("protected", false, "requests", tally.byResult())));
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("enabled", false);
		view.put("reason", "idempotency.enabled is false: all requests go through unprotected");
		view.put("routes", routes);
		return view;
	}

}
