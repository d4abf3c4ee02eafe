package dev.idempotency.gateway;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes the answers of {@link IdempotencyGatewayFilter}. It has the order of Gateway's
 * own writer: any earlier and filters around the route would come too late to change
 * status and headers, since the response would be committed.
 *
 * @since 0.1.0
 */
public final class IdempotencyWriteResponseFilter implements GlobalFilter, Ordered {

	@Override
	public int getOrder() {
		return NettyWriteResponseFilter.WRITE_RESPONSE_FILTER_ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		return chain.filter(exchange).then(Mono.defer(() -> {
			AnswerExchange.Body body = AnswerExchange.get(exchange);
			return (body != null) ? write(exchange.getResponse(), body) : Mono.empty();
		}));
	}

	private static Mono<Void> write(ServerHttpResponse response, AnswerExchange.Body body) {
		return body.streams() ? response.writeAndFlushWith(body.content().map(Flux::just))
				: response.writeWith(body.content());
	}

}
