package dev.idempotency.upstream;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import dev.idempotency.core.IdempotencyPolicy.Reconcile;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import dev.idempotency.core.Upstream.Verdict;
import reactor.core.publisher.Flux;
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
			.response((head, content) -> read(head, content.asByteArray()))
			.next();
	}

	/** An answer that is larger than a record may be is not read to its end. */
	private Mono<StoredResponse> read(HttpClientResponse head, Flux<byte[]> content) {
		long limit = this.route.policy().limits().maxResponseSize();
		return content.scanWith(ByteArrayOutputStream::new, (whole, piece) -> {
			whole.writeBytes(piece);
			return whole;
		})
			.takeUntil(whole -> whole.size() > limit)
			.last()
			.map(whole -> response(head, (whole.size() <= limit) ? whole.toByteArray() : null));
	}

	private Map<String, String> credentials(Reconcile rules) {
		if (!rules.headers().isEmpty()) {
			return rules.headers();
		}
		String authorization = this.request.exchange().getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION);
		return (authorization != null) ? Map.of(HttpHeaders.AUTHORIZATION, authorization) : Map.of();
	}

	private Verdict verdict(Reconcile rules, StoredResponse answer, Duration silence) {
		if (rules.applied().contains(answer.status())) {
			return new Verdict(Verdict.Kind.APPLIED, answer.isReplayable() ? this.route.answers().forRecord(answer)
					: StoredResponse.tombstone(answer.status()));
		}
		boolean longEnough = silence.compareTo(rules.settleAfter()) >= 0;
		if (rules.notApplied().contains(answer.status()) && longEnough) {
			return new Verdict(Verdict.Kind.NOT_APPLIED, null);
		}
		return UNDECIDED;
	}

	private static StoredResponse response(HttpClientResponse head, byte @Nullable [] content) {
		List<Header> lines = new ArrayList<>();
		head.responseHeaders().forEach(line -> lines.add(new Header(line.getKey(), line.getValue())));
		return new StoredResponse(head.status().code(), lines, content);
	}

}
