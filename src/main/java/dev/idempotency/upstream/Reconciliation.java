package dev.idempotency.upstream;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.http.HttpHeaders;

import dev.idempotency.core.IdempotencyPolicy.Reconcile;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import dev.idempotency.core.Upstream.Verdict;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientResponse;

/**
 * The question to the backend what became of a key. It carries the client's own
 * credentials, so that one caller's key never finds another's work.
 */
final class Reconciliation {

	private static final Verdict UNDECIDED = new Verdict(Verdict.Kind.UNDECIDED, null);

	private final UpstreamRoute route;

	private final BackendRequest request;

	Reconciliation(UpstreamRoute route, BackendRequest request) {
		this.route = route;
		this.request = request;
	}

	/**
	 * Asks once.
	 * @param silence time since the operation was last heard of; before it has lasted
	 * long enough a "not applied" is not believed, since the first request may still be
	 * committing
	 */
	Mono<Verdict> ask(Duration silence) {
		Reconcile rules = this.route.policy().outcomes().reconcile();
		if (rules == null) {
			return Mono.just(UNDECIDED);
		}
		return answer(rules).map(answer -> verdict(rules, answer, silence))
			.timeout(rules.timeout(), this.route.services().scheduler())
			.onErrorReturn(UNDECIDED);
	}

	private Mono<StoredResponse> answer(Reconcile rules) {
		String key = URLEncoder.encode(this.request.key().value(), StandardCharsets.UTF_8).replace("+", "%20");
		return this.route.services()
			.httpClient()
			.headers(headers -> credentials(rules).forEach((name, value) -> headers.set(name, value)))
			.get()
			.uri(rules.uri().replace("{key}", key))
			.responseSingle((head,
					content) -> content.asByteArray().defaultIfEmpty(new byte[0]).map(bytes -> response(head, bytes)));
	}

	private java.util.Map<String, String> credentials(Reconcile rules) {
		if (!rules.headers().isEmpty()) {
			return rules.headers();
		}
		String authorization = this.request.exchange().getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION);
		return (authorization != null) ? java.util.Map.of(HttpHeaders.AUTHORIZATION, authorization)
				: java.util.Map.of();
	}

	private Verdict verdict(Reconcile rules, StoredResponse answer, Duration silence) {
		if (rules.applied().contains(answer.status())) {
			return new Verdict(Verdict.Kind.APPLIED, this.route.answers().forRecord(answer));
		}
		boolean longEnough = silence.compareTo(rules.settleAfter()) >= 0;
		if (rules.notApplied().contains(answer.status()) && longEnough) {
			return new Verdict(Verdict.Kind.NOT_APPLIED, null);
		}
		return UNDECIDED;
	}

	private static StoredResponse response(HttpClientResponse head, byte[] content) {
		List<Header> lines = new ArrayList<>();
		head.responseHeaders().forEach(line -> lines.add(new Header(line.getKey(), line.getValue())));
		return new StoredResponse(head.status().code(), lines, content);
	}

}
