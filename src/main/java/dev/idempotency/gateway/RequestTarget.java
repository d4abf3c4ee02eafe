package dev.idempotency.gateway;

import java.net.URI;
import java.util.Collection;
import java.util.Locale;

import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServerRequest;

import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;

/**
 * What a client asked for, whatever filters rewrote since.
 *
 * @param host host and port as the server sees them, lower case, without the port that
 * the scheme implies; a forwarded host is in it only where the operator has the server
 * trust the proxies in front of it
 * @param path the path as sent, never empty
 * @param query the query as sent, empty if there is none
 */
record RequestTarget(String host, String path, String query) {

	/**
	 * Reads the target of a request.
	 *
	 * <p>
	 * Gateway's filters that rewrite the path keep the first URI in the exchange; those
	 * that rewrite the query do not, and filters of an application's own may do as they
	 * like. The request line itself is beyond their reach, so it is preferred where the
	 * server shows it.
	 * @param exchange the exchange as it reaches the filter
	 * @return the target
	 */
	static RequestTarget of(ServerWebExchange exchange) {
		URI uri = firstUri(exchange);
		String host = host(uri);
		String path = emptyIfNull(uri.getRawPath());
		String line = requestLine(exchange.getRequest());
		if (line == null) {
			return new RequestTarget(host, rooted(path), emptyIfNull(uri.getRawQuery()));
		}
		int question = line.indexOf('?');
		String sent = (question < 0) ? line : line.substring(0, question);
		// A longer path with the same end has the prefix a trusted proxy took off.
		return new RequestTarget(host, rooted(path.endsWith(sent) ? path : sent),
				(question < 0) ? "" : line.substring(question + 1));
	}

	private static URI firstUri(ServerWebExchange exchange) {
		Collection<URI> originals = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ORIGINAL_REQUEST_URL_ATTR);
		return (originals == null || originals.isEmpty()) ? exchange.getRequest().getURI()
				: originals.iterator().next();
	}

	private static String host(URI uri) {
		String authority = emptyIfNull(uri.getRawAuthority()).toLowerCase(Locale.ROOT);
		String host = authority.substring(authority.indexOf('@') + 1);
		String implied = "https".equalsIgnoreCase(uri.getScheme()) ? ":443" : ":80";
		String bare = host.endsWith(":") ? host.substring(0, host.length() - 1) : host;
		return bare.endsWith(implied) ? bare.substring(0, bare.length() - implied.length()) : bare;
	}

	/** Path and query of the request line, {@code null} where the server hides them. */
	private static @Nullable String requestLine(ServerHttpRequest request) {
		ServerHttpRequest inner = request;
		while (inner instanceof ServerHttpRequestDecorator decorator) {
			inner = decorator.getDelegate();
		}
		if (!(inner instanceof AbstractServerHttpRequest server)
				|| !(nativeRequest(server) instanceof HttpServerRequest netty)) {
			return null;
		}
		String line = netty.uri();
		int authority = line.startsWith("/") ? -1 : line.indexOf("://");
		if (authority < 0) {
			return line;
		}
		int path = line.indexOf('/', authority + 3);
		int query = line.indexOf('?', authority + 3);
		int end = (path >= 0 && (query < 0 || path < query)) ? path : query;
		return (end < 0) ? "" : line.substring(end);
	}

	private static @Nullable Object nativeRequest(AbstractServerHttpRequest request) {
		try {
			return request.getNativeRequest();
		}
		catch (IllegalStateException ex) {
			// A request that no server made has none.
			return null;
		}
	}

	private static String rooted(String path) {
		return path.isEmpty() ? "/" : path;
	}

	private static String emptyIfNull(@Nullable String text) {
		return (text != null) ? text : "";
	}

	/** Paths and queries carry data, which never reaches a log. */
	@Override
	public String toString() {
		return "RequestTarget[" + this.host + "]";
	}

}
