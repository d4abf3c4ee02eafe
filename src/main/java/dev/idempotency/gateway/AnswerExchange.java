package dev.idempotency.gateway;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.web.server.ServerWebExchange;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * The one exchange attribute of this plugin: the body of an answer, between the filter
 * that decides on it and the global filter that writes it after all filters of the route
 * have had their say about status and headers.
 */
final class AnswerExchange {

	private static final String BODY = AnswerExchange.class.getName() + ".body";

	private AnswerExchange() {
	}

	static void put(ServerWebExchange exchange, Body body) {
		exchange.getAttributes().put(BODY, body);
	}

	static @Nullable Body get(ServerWebExchange exchange) {
		return exchange.getAttribute(BODY);
	}

	/**
	 * The body of an answer.
	 *
	 * @param content its buffers
	 * @param streams whether each buffer is flushed as it comes
	 */
	record Body(Flux<DataBuffer> content, boolean streams) {
	}

}
