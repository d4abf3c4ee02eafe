package dev.idempotency.upstream;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.idempotency.core.IdempotencyPolicy;

/**
 * Keeps the backend side of each route across refreshes: routes are rebuilt every few
 * seconds in some installations, and their circuit breakers must not forget with them.
 *
 * @since 0.1.0
 */
public final class UpstreamRoutes {

	private final Map<String, Entry> routes = new ConcurrentHashMap<>();

	/**
	 * The backend side of a route.
	 * @param id the route's id
	 * @param policy its present rules
	 * @param fresh makes a new one where there is none yet, or the rules have changed
	 * @return the one to use
	 */
	public UpstreamRoute get(String id, IdempotencyPolicy policy, Supplier<UpstreamRoute> fresh) {
		return this.routes.compute(id, (name, known) -> (known != null && known.policy().equals(policy)) ? known
				: new Entry(policy, fresh.get()))
			.route();
	}

	/** All routes known so far, by id. */
	public Map<String, UpstreamRoute> all() {
		Map<String, UpstreamRoute> all = new java.util.TreeMap<>();
		this.routes.forEach((id, entry) -> all.put(id, entry.route()));
		return all;
	}

	private record Entry(IdempotencyPolicy policy, UpstreamRoute route) {
	}

}
