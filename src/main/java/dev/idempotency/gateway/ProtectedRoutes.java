package dev.idempotency.gateway;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;

import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.upstream.UpstreamRoute;
import reactor.core.publisher.Flux;

/**
 * The routes that carry the filter at this moment, asked of Gateway itself, so that what
 * operators and clients read is what is in force.
 *
 * @since 0.1.0
 */
public final class ProtectedRoutes {

	private final RouteLocator routes;

	/**
	 * All routes of the gateway.
	 * @param routes wherever they are defined
	 */
	public ProtectedRoutes(RouteLocator routes) {
		this.routes = routes;
	}

	/** The filters in force, one for each route. */
	public Flux<Filter> current() {
		return this.routes.getRoutes().flatMapIterable(route -> {
			List<Filter> filters = of(route);
			return filters.isEmpty() ? filters : filters.subList(filters.size() - 1, filters.size());
		});
	}

	/** Ids of the routes that do not carry the filter. */
	public Flux<String> unprotected() {
		return this.routes.getRoutes().filter(route -> of(route).isEmpty()).map(Route::getId);
	}

	/** The routes that take requests on as jobs. */
	public Flux<JobRoute> ofJobs() {
		return this.routes.getRoutes().flatMapIterable(route -> {
			List<Filter> filters = of(route);
			Filter last = filters.isEmpty() ? null : filters.get(filters.size() - 1);
			RouteJobs jobs = (last != null) ? last.jobs() : null;
			UpstreamRoute upstream = (last != null) ? last.upstream() : null;
			return (last != null && jobs != null && upstream != null)
					? List.of(new JobRoute(route, last, upstream, jobs)) : List.of();
		});
	}

	/**
	 * Whether this is the filter, however Gateway has wrapped it.
	 * @param wrapped one of a route's filters
	 * @param filter the filter
	 */
	public static boolean is(GatewayFilter wrapped, Filter filter) {
		return unwrapped(wrapped) == filter;
	}

	/**
	 * A route that takes requests on as jobs.
	 *
	 * @param route the route
	 * @param filter its filter
	 * @param upstream its backend side
	 * @param jobs what works on its jobs
	 */
	public record JobRoute(Route route, Filter filter, UpstreamRoute upstream, RouteJobs jobs) {
	}

	/**
	 * The filters of a route, the outermost first.
	 * @param route the route
	 */
	static List<Filter> of(Route route) {
		return route.getFilters()
			.stream()
			.map(ProtectedRoutes::unwrapped)
			.filter(Filter.class::isInstance)
			.map(Filter.class::cast)
			.toList();
	}

	private static GatewayFilter unwrapped(GatewayFilter filter) {
		return (filter instanceof OrderedGatewayFilter ordered) ? unwrapped(ordered.getDelegate()) : filter;
	}

	/** What can be told of a route's filter, whether it acts or only watches. */
	public interface Filter {

		/** Id of the route. */
		String routeId();

		/** Its effective rules. */
		IdempotencyPolicy policy();

		/** Its backend side; {@code null} for a filter that only watches. */
		@Nullable UpstreamRoute upstream();

		/** What takes requests on as jobs; {@code null} where nothing does. */
		default @Nullable RouteJobs jobs() {
			return null;
		}

	}

	/** Hash of the rules by which identities are made. */
	public static String identityRules() {
		return IdentityRules.HASH;
	}

}
