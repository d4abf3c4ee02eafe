package dev.idempotency.gateway;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;

import io.netty.handler.codec.http.HttpVersion;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

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
		return body.streams() ? stream(response, body.content()) : response.writeWith(body.content());
	}

	private static Mono<Void> stream(ServerHttpResponse response, Flux<DataBuffer> content) {
		endWithTheConnectionForOldClients(response);
		return response.writeAndFlushWith(content.onErrorMap(error -> new BrokenOffException()).map(Flux::just));
	}

	/** HTTP/1.0 knows no chunks (RFC 9112, section 6.1). */
	private static void endWithTheConnectionForOldClients(ServerHttpResponse response) {
		Object connected = ServerHttpResponseDecorator.getNativeResponse(response);
		if (connected instanceof HttpServerResponse out && connected instanceof HttpServerRequest in
				&& in.version().equals(HttpVersion.HTTP_1_0) && response.getHeaders().getContentLength() < 0) {
			out.chunkedTransfer(false);
		}
	}

	/**
	 * The backend's answer broke off. Spring takes an error that speaks of a connection
	 * for that of a client that has gone, and ends the response in good order: so this
	 * one has no cause, and the client sees that something is missing.
	 */
	private static final class BrokenOffException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		BrokenOffException() {
			super("The backend's answer ended too soon", null, false, false);
		}

	}

}
