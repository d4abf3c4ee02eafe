package dev.idempotency.upstream;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;

/**
 * The exchange of one attempt: request and response of its own, and attributes of its
 * own, since two attempts of an operation may be open at the same time.
 */
final class AttemptExchange extends ServerWebExchangeDecorator {

	private final ServerHttpRequest request;

	private final ServerHttpResponse response;

	private final Map<String, Object> attributes;

	AttemptExchange(ServerWebExchange exchange, ServerHttpRequest request, ServerHttpResponse response) {
		super(exchange);
		this.request = request;
		this.response = response;
		this.attributes = new ConcurrentHashMap<>(exchange.getAttributes());
		this.attributes.remove(ServerWebExchangeUtils.GATEWAY_ALREADY_ROUTED_ATTR);
	}

	@Override
	public ServerHttpRequest getRequest() {
		return this.request;
	}

	@Override
	public ServerHttpResponse getResponse() {
		return this.response;
	}

	@Override
	public Map<String, Object> getAttributes() {
		return this.attributes;
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T> @Nullable T getAttribute(String name) {
		return (T) this.attributes.get(name);
	}

}
