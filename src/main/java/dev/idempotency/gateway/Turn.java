package dev.idempotency.gateway;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Whose turn it is where a route carries the filter twice, say as a default filter and by
 * its own list: the last one's, so that a route may override what holds for all. Both
 * together would each wait for the other's claim.
 */
final class Turn {

	private final ProtectedRoutes.Filter filter;

	private volatile @Nullable Route route;

	private volatile boolean mine;

	Turn(ProtectedRoutes.Filter filter) {
		this.filter = filter;
	}

	/** Looked up once for a route; filters are made anew with it. */
	boolean isMine(ServerWebExchange exchange) {
		Route current = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		if (current == null) {
			return true;
		}
		if (!Objects.equals(current, this.route)) {
			List<ProtectedRoutes.Filter> filters = ProtectedRoutes.of(current);
			this.mine = filters.isEmpty() || filters.get(filters.size() - 1) == this.filter;
			this.route = current;
		}
		return this.mine;
	}

}
