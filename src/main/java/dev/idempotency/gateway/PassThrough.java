package dev.idempotency.gateway;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Requests that go through without protection, and say so. */
final class PassThrough {

	static final String UNPROTECTED = "unprotected";

	static final String BYPASSED = "bypassed";

	private PassThrough() {
	}

	/** Marks whatever answer comes with {@code Idempotency-Status}. */
	static Mono<Void> marked(ServerWebExchange exchange, String status) {
		return Mono.fromRunnable(() -> exchange.getResponse().beforeCommit(() -> {
			exchange.getResponse().getHeaders().set(ResponseHeaderPolicy.STATUS, status);
			AnswerWriter.expose(exchange.getRequest().getHeaders(), exchange.getResponse().getHeaders());
			return Mono.empty();
		}));
	}

	/** The exchange with a body that was read already. */
	static ServerWebExchange withBody(ServerWebExchange exchange, byte[] body) {
		return exchange.mutate().request(new ServerHttpRequestDecorator(exchange.getRequest()) {

			@Override
			public Flux<DataBuffer> getBody() {
				return (body.length == 0) ? Flux.empty()
						: Flux.defer(() -> Flux.just(exchange.getResponse().bufferFactory().wrap(body)));
			}

		}).build();
	}

}
