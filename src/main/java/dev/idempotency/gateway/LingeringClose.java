package dev.idempotency.gateway;

import java.time.Duration;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.HttpInfos;

/**
 * Keeps the connection of a refused request open until its client has read the refusal.
 *
 * <p>
 * A connection that is closed while octets of the body are still on their way is reset,
 * and the client loses the answer with it (RFC 9112, section 9.6). Where the connection
 * goes on after this exchange, the server reads the rest of the body anyway.
 */
final class LingeringClose {

	/** Long enough for a large body on a slow line, short enough for an attacker. */
	private static final Duration LIMIT = Duration.ofSeconds(5);

	private LingeringClose() {
	}

	/**
	 * Lets the answer end only after the client has sent all of its body, has gone, or
	 * has had time.
	 * @param exchange with the refusal already put on it
	 */
	static void prepare(ServerWebExchange exchange) {
		Object connected = ServerHttpResponseDecorator.getNativeResponse(exchange.getResponse());
		AnswerExchange.Body refusal = AnswerExchange.get(exchange);
		if (refusal != null && connected instanceof HttpInfos http && !http.isKeepAlive()) {
			AnswerExchange.put(exchange,
					new AnswerExchange.Body(refusal.content().concatWith(rest(exchange.getRequest())), true));
		}
	}

	private static Flux<DataBuffer> rest(ServerHttpRequest request) {
		return request.getBody()
			.doOnNext(DataBufferUtils::release)
			.then()
			// Read in part before: what still comes is dropped by the server.
			.onErrorResume(IllegalStateException.class, (alreadyRead) -> Mono.never())
			.take(LIMIT)
			.cast(DataBuffer.class)
			.flux();
	}

}
