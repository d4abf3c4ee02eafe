package dev.idempotency.gateway;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.idempotency.core.Caller;
import dev.idempotency.core.Digests;
import dev.idempotency.core.IdempotencyPolicy.CallerSource;
import dev.idempotency.core.IdempotencyPolicy.Scope;
import io.netty.util.NetUtil;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/**
 * Finds out whose key it is, from the sources of a policy in their order. The first
 * source that gives an identity decides; one that contradicts itself ends the search, so
 * that nobody slips into another caller's keys by sending a header twice.
 *
 * <p>
 * Headers and cookies are taken as they are when the request reaches the filter: what an
 * earlier filter put there has been checked by the operator's own rules. The client's
 * address is the one the server sees, which is a forwarded one only where the operator
 * configured trusted proxies. No token is decoded here.
 */
final class CallerResolver {

	private final Scope scope;

	CallerResolver(Scope scope) {
		this.scope = scope;
	}

	/**
	 * Identifies the caller.
	 * @param exchange the exchange as it reaches the filter
	 * @return exactly one resolution
	 */
	Mono<CallerResolution> resolve(ServerWebExchange exchange) {
		return resolve(exchange, 0);
	}

	/**
	 * Without a publisher for each source: only a principal may have to be waited for.
	 */
	private Mono<CallerResolution> resolve(ServerWebExchange exchange, int first) {
		List<CallerSource> sources = this.scope.callers();
		for (int i = first; i < sources.size(); i++) {
			CallerSource source = sources.get(i);
			if (source.kind() == CallerSource.Kind.PRINCIPAL) {
				int next = i + 1;
				return exchange.getPrincipal()
					.mapNotNull((principal) -> identified(source, PrincipalIdentity.of(principal)))
					.switchIfEmpty(Mono.defer(() -> resolve(exchange, next)));
			}
			CallerResolution found = look(source, exchange.getRequest());
			if (found != null) {
				return Mono.just(found);
			}
		}
		return Mono.just(nobody());
	}

	/**
	 * The source that a caller's identity names; {@code null} where none gave it.
	 * @param named {@link Caller#source()}
	 */
	static @Nullable CallerSource source(String named) {
		int colon = named.indexOf(':');
		String kind = (colon < 0) ? named : named.substring(0, colon);
		String name = (colon < 0) ? "" : named.substring(colon + 1);
		for (CallerSource.Kind known : CallerSource.Kind.values()) {
			if (new CallerSource(known, "").toString().equals(kind)) {
				return new CallerSource(known, name);
			}
		}
		return null;
	}

	private static @Nullable CallerResolution look(CallerSource source, ServerHttpRequest request) {
		return switch (source.kind()) {
			case PRINCIPAL -> null;
			case AUTHORIZATION ->
				single(source, request.getHeaders().getOrEmpty(HttpHeaders.AUTHORIZATION), CallerResolver::digest);
			case HEADER -> single(source, request.getHeaders().getOrEmpty(source.name()), (value) -> value);
			case COOKIE -> single(source, cookies(request.getHeaders(), source.name()), (value) -> value);
			case CLIENT_IP -> identified(source, address(request.getRemoteAddress()));
		};
	}

	private static @Nullable CallerResolution single(CallerSource source, List<String> values,
			UnaryOperator<String> identity) {
		if (values.size() > 1) {
			return new CallerResolution.Unidentified("The caller is identified by " + source
					+ ", which came more than once. Exactly one value is accepted.");
		}
		String value = values.isEmpty() ? "" : values.get(0).strip();
		return identified(source, value.isEmpty() ? "" : identity.apply(value));
	}

	private static @Nullable CallerResolution identified(CallerSource source, String identity) {
		if (identity.isEmpty()) {
			return null;
		}
		return new CallerResolution.Identified(caller(source, identity));
	}

	/** Names of headers are the same in any case, those of cookies are not. */
	static Caller caller(CallerSource source, String identity) {
		String name = (source.kind() == CallerSource.Kind.COOKIE) ? source.toString()
				: source.toString().toLowerCase(Locale.ROOT);
		return new Caller(name, identity);
	}

	private CallerResolution nobody() {
		if (this.scope.anonymousShares()) {
			return new CallerResolution.Identified(Caller.ANONYMOUS);
		}
		String sources = this.scope.callers().stream().map(CallerSource::toString).collect(Collectors.joining(", "));
		return new CallerResolution.Unidentified(
				"Keys belong to callers, and this request has none of what identifies one here: " + sources + ".");
	}

	private static String digest(String credential) {
		byte[] octets = credential.getBytes(StandardCharsets.UTF_8);
		return HexFormat.of().formatHex(Digests.sha256().digest(octets));
	}

	/**
	 * All values of a cookie, read from the header itself: the parsed cookies of a
	 * request do not follow a filter that changed the header.
	 */
	private static List<String> cookies(HttpHeaders headers, String name) {
		List<String> values = new ArrayList<>();
		for (String line : headers.getOrEmpty(HttpHeaders.COOKIE)) {
			for (String pair : line.split(";")) {
				int equals = pair.indexOf('=');
				if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
					values.add(unquoted(pair.substring(equals + 1).strip()));
				}
			}
		}
		return values;
	}

	private static String unquoted(String value) {
		boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
		return quoted ? value.substring(1, value.length() - 1) : value;
	}

	/** The address without port, name and IPv6 scope; empty if it is no address. */
	private static String address(@Nullable InetSocketAddress remote) {
		if (remote == null) {
			return "";
		}
		InetAddress address = remote.getAddress();
		byte[] octets = (address != null) ? address.getAddress()
				: NetUtil.createByteArrayFromIpAddressString(remote.getHostString());
		try {
			return (octets != null) ? InetAddress.getByAddress(octets).getHostAddress() : "";
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException("an address of " + octets.length + " octets", ex);
		}
	}

}
