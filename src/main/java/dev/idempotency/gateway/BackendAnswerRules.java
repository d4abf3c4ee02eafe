package dev.idempotency.gateway;

import java.util.Locale;

import org.springframework.http.HttpHeaders;

import dev.idempotency.core.IdempotencyPolicy.NoStore;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.upstream.AnswerRules;

/** What of a backend's answer goes to the client, and what into the record. */
final class BackendAnswerRules implements AnswerRules {

	private final ResponseHeaderPolicy headers;

	private final NoStore noStore;

	BackendAnswerRules(ResponseHeaderPolicy headers, NoStore noStore) {
		this.headers = headers;
		this.noStore = noStore;
	}

	@Override
	public StoredResponse forClient(StoredResponse answer) {
		return new StoredResponse(answer.status(), this.headers.fresh(answer.headers()), answer.body());
	}

	@Override
	public StoredResponse forRecord(StoredResponse answer) {
		if (this.noStore == NoStore.TOMBSTONE && forbidsStoring(answer)) {
			return StoredResponse.tombstone(answer.status());
		}
		return new StoredResponse(answer.status(), this.headers.recorded(answer.headers()), answer.body());
	}

	private static boolean forbidsStoring(StoredResponse answer) {
		return answer.headers()
			.stream()
			.filter(header -> header.name().equalsIgnoreCase(HttpHeaders.CACHE_CONTROL))
			.flatMap(header -> java.util.Arrays.stream(header.value().split(",")))
			.anyMatch(directive -> directive.strip().toLowerCase(Locale.ROOT).equals("no-store"));
	}

}
