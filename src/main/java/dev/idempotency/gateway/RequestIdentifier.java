package dev.idempotency.gateway;

import java.time.Duration;

import dev.idempotency.core.Caller;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.KeyedRequest;
import dev.idempotency.core.RecordId;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/** Says, by one policy, which request this is: its key, its caller, what it asks for. */
final class RequestIdentifier {

	private final IdempotencyPolicy policy;

	private final String namespace;

	private final IdempotencyKeyParser keys;

	private final CallerResolver callers;

	private final FingerprintCalculator fingerprints;

	RequestIdentifier(IdempotencyPolicy policy) {
		this(policy, policy.scope().namespace());
	}

	RequestIdentifier(IdempotencyPolicy policy, String namespace) {
		this.policy = policy;
		this.namespace = namespace;
		this.keys = new IdempotencyKeyParser(policy.key());
		this.callers = new CallerResolver(policy.scope());
		this.fingerprints = new FingerprintCalculator(policy.fingerprint());
	}

	/** Whether the policy speaks of requests with this method. */
	boolean covers(ServerHttpRequest request) {
		return this.policy.key().methods().contains(request.getMethod().name());
	}

	PresentedKey key(ServerHttpRequest request) {
		return this.keys.parse(request.getHeaders());
	}

	Mono<CallerResolution> caller(ServerWebExchange exchange) {
		return this.callers.resolve(exchange);
	}

	/**
	 * Fixes identity and fingerprint from the request as it is now.
	 * @param exchange the exchange as it reached the filter
	 * @param body the whole body
	 * @param key the key it presents
	 * @param caller whose it is
	 * @param patience how long it waits for a first one
	 */
	KeyedRequest identify(ServerWebExchange exchange, byte[] body, PresentedKey.Present key, Caller caller,
			Duration patience) {
		HttpHeaders headers = exchange.getRequest().getHeaders();
		return new KeyedRequest(identity(exchange, key, caller),
				this.fingerprints.calculate(RequestTarget.of(exchange).query(), body, headers), patience);
	}

	/** Where the record of this request would be. */
	RecordId identity(ServerWebExchange exchange, PresentedKey.Present key, Caller caller) {
		return IdentityRules.identify(this.namespace, caller, exchange.getRequest().getMethod().name(),
				RequestTarget.of(exchange), key.key());
	}

}
