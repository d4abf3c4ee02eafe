package dev.idempotency.gateway;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.web.server.ServerWebExchange;

import dev.idempotency.core.RequestResult;
import reactor.core.publisher.Mono;

/**
 * Stands in for the filter while the kill switch is thrown: no store is touched, and each
 * answer says so.
 *
 * @since 0.1.0
 */
public final class BypassGatewayFilter implements GatewayFilter {

	private final RouteEvents events;

	/**
	 * For one route.
	 * @param events told of each request
	 */
	public BypassGatewayFilter(RouteEvents events) {
		this.events = events;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		this.events.counted(RequestResult.BYPASSED);
		this.events.bypassed(BypassReason.SWITCHED_OFF);
		return PassThrough.marked(exchange, PassThrough.BYPASSED).then(chain.filter(exchange));
	}

	@Override
	public String toString() {
		return "[Idempotency bypassed]";
	}

}
