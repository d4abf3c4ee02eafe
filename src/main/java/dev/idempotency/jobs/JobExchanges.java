package dev.idempotency.jobs;

import java.util.List;
import java.util.Map;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.handler.FilteringWebHandler;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import org.springframework.web.server.session.DefaultWebSessionManager;

import dev.idempotency.core.IdempotencyKey;
import dev.idempotency.core.JobRequest;
import dev.idempotency.gateway.ProtectedRoutes;
import dev.idempotency.upstream.BackendRequest;
import dev.idempotency.upstream.BodyBudget;
import reactor.core.publisher.Mono;

/**
 * Makes of a request that was kept what the filters of its route expect: an exchange as
 * it reached the filter, and the filters behind that.
 *
 * @since 0.1.0
 */
public final class JobExchanges {

	private final AllFilters filters;

	private final ApplicationContext context;

	private final ServerCodecConfigurer codecs;

	private final BodyBudget budget;

	/**
	 * For all routes.
	 * @param globalFilters of the gateway
	 * @param context the application's
	 * @param codecs of the server
	 * @param budget bounds the bodies held
	 */
	public JobExchanges(List<GlobalFilter> globalFilters, ApplicationContext context, ServerCodecConfigurer codecs,
			BodyBudget budget) {
		this.filters = new AllFilters(globalFilters);
		this.context = context;
		this.codecs = codecs;
		this.budget = budget;
	}

	/** The filters of a route that come behind ours. */
	GatewayFilterChain behind(ProtectedRoutes.JobRoute job) {
		List<GatewayFilter> all = this.filters.of(job.route());
		for (int i = 0; i < all.size(); i++) {
			if (ProtectedRoutes.is(all.get(i), job.filter())) {
				return new Rest(all, i + 1);
			}
		}
		throw new IllegalStateException("a route without its own filter");
	}

	BackendRequest request(JobRequest kept, Route route, GatewayFilterChain behind) {
		ServerWebExchange exchange = new DefaultServerWebExchange(new StoredServerRequest(kept), new UnheardResponse(),
				new DefaultWebSessionManager(), this.codecs, new AcceptHeaderLocaleContextResolver(), this.context);
		Map<String, Object> attributes = exchange.getAttributes();
		attributes.put(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR, route);
		attributes.put(ServerWebExchangeUtils.GATEWAY_PREDICATE_ROUTE_ATTR, route.getId());
		ServerWebExchangeUtils.putUriTemplateVariables(exchange, kept.variables());
		return new BackendRequest(exchange, behind, kept.body(), new IdempotencyKey(kept.key()), this.budget.share());
	}

	/** Asks Gateway itself for its order. */
	private static final class AllFilters extends FilteringWebHandler {

		AllFilters(List<GlobalFilter> globalFilters) {
			super(globalFilters, false);
		}

		List<GatewayFilter> of(Route route) {
			return List.copyOf(getAllFilters(route));
		}

	}

	/**
	 * A chain from some filter on.
	 *
	 * @param filters all filters
	 * @param next the one whose turn it is
	 */
	private record Rest(List<GatewayFilter> filters, int next) implements GatewayFilterChain {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange) {
			return Mono.defer(() -> (this.next < this.filters.size())
					? this.filters.get(this.next).filter(exchange, new Rest(this.filters, this.next + 1))
					: Mono.empty());
		}

	}

}
