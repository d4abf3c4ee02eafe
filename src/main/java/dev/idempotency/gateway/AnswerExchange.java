package dev.idempotency.gateway;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.web.server.ServerWebExchange;

import reactor.core.publisher.Flux;

/**
 * The one exchange attribute of this plugin: the body of an answer, between the filter
 * that decides on it and the global filter that writes it after all filters of the route
 * have had their say about status and headers. It is there from the moment the filter has
 * taken a request on, so that a second one on the same route, inside the attempts of the
 * first, knows that there is nothing left to do.
 */
final class AnswerExchange {

	private static final String ATTRIBUTE = AnswerExchange.class.getName();

	private volatile @Nullable Body body;

	private AnswerExchange() {
	}

	/**
	 * Takes a request on.
	 * @param exchange its exchange
	 * @return whether nobody has before
	 */
	static boolean begin(ServerWebExchange exchange) {
		return exchange.getAttributes().putIfAbsent(ATTRIBUTE, new AnswerExchange()) == null;
	}

	static void put(ServerWebExchange exchange, Body body) {
		exchange.<AnswerExchange>getRequiredAttribute(ATTRIBUTE).body = body;
	}

	static @Nullable Body get(ServerWebExchange exchange) {
		AnswerExchange answer = exchange.getAttribute(ATTRIBUTE);
		return (answer != null) ? answer.body : null;
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
