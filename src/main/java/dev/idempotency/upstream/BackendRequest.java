package dev.idempotency.upstream;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.web.server.ServerWebExchange;

import dev.idempotency.core.IdempotencyKey;

/**
 * What every attempt of an operation sends.
 *
 * @param exchange the exchange as it reached the filter
 * @param chain the rest of the route's filters
 * @param body the request's body, read once
 * @param key the key, for the question after an unknown outcome
 * @param share where the bytes of bodies count; an operation retains it until it is over
 * @since 0.1.0
 */
public record BackendRequest(ServerWebExchange exchange, GatewayFilterChain chain, byte[] body, IdempotencyKey key,
		BodyBudget.Share share) {
}
