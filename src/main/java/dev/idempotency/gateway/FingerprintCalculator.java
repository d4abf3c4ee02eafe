package dev.idempotency.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;

import dev.idempotency.core.Digests;
import dev.idempotency.core.Fingerprint;
import dev.idempotency.core.IdempotencyPolicy.FingerprintRules;

import org.springframework.http.HttpHeaders;

/**
 * Says what a request asks for, by the rules of its route: the query, the body, and the
 * headers that a policy lists. How the body was framed, and what its {@code Content-Type}
 * is, does not count unless listed; in {@code json} mode the body alone decides whether
 * it is JSON.
 *
 * <p>
 * Of a listed header the lines count, in their order; a header that is absent differs
 * from an empty one.
 */
final class FingerprintCalculator {

	/** Changes whenever equal requests would get other digests than before. */
	private static final String VERSION = "1";

	private static final byte BYTES = 'B';

	private static final byte JSON = 'J';

	private final FingerprintRules rules;

	private final List<String> headers;

	private final CanonicalJson json;

	private final int rulesHash;

	FingerprintCalculator(FingerprintRules rules) {
		this.rules = rules;
		this.headers = rules.headers()
			.stream()
			.map((name) -> name.toLowerCase(Locale.ROOT))
			.distinct()
			.sorted()
			.toList();
		this.json = new CanonicalJson(JsonExclusions.of(rules.exclude()));
		this.rulesHash = hash(rules, this.headers);
	}

	/**
	 * Calculates the fingerprint.
	 * @param query the raw query as the client sent it, empty if there is none
	 * @param body the octets of the content, empty if there is none
	 * @param requestHeaders the headers as they reach the filter
	 * @return the fingerprint
	 */
	Fingerprint calculate(String query, byte[] body, HttpHeaders requestHeaders) {
		String canonicalQuery = CanonicalQuery.of(query);
		byte[] bodyDigest = Digests.sha256().digest(body);
		MessageDigest raw = Digests.sha256();
		put(raw, canonicalQuery);
		raw.update(bodyDigest);
		MessageDigest digest = Digests.sha256();
		put(digest, canonicalQuery);
		this.headers.forEach((name) -> putHeader(digest, name, requestHeaders.getOrEmpty(name)));
		putBody(digest, body, bodyDigest);
		return new Fingerprint(this.rulesHash, digest.digest(), raw.digest());
	}

	private void putBody(MessageDigest digest, byte[] body, byte[] bodyDigest) {
		byte[] canonical = (this.rules.json() && body.length > 0) ? this.json.digest(body).orElse(null) : null;
		digest.update((canonical != null) ? JSON : BYTES);
		digest.update((canonical != null) ? canonical : bodyDigest);
	}

	private static void putHeader(MessageDigest digest, String name, List<String> lines) {
		put(digest, name);
		Digests.putLength(digest, lines.size());
		lines.forEach((line) -> put(digest, line));
	}

	private static int hash(FingerprintRules rules, List<String> headers) {
		MessageDigest digest = Digests.sha256();
		put(digest, VERSION);
		put(digest, rules.json() ? "json" : "bytes");
		Digests.putLength(digest, headers.size());
		headers.forEach((name) -> put(digest, name));
		if (rules.json()) {
			rules.exclude().stream().distinct().sorted().forEach((pointer) -> put(digest, pointer));
		}
		return ByteBuffer.wrap(digest.digest()).getInt();
	}

	private static void put(MessageDigest digest, String text) {
		byte[] octets = text.getBytes(StandardCharsets.UTF_8);
		Digests.putLength(digest, octets.length);
		digest.update(octets);
	}

}
