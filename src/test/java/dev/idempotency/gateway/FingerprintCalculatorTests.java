package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

import dev.idempotency.core.Fingerprint;
import dev.idempotency.core.IdempotencyPolicy.FingerprintRules;
import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class FingerprintCalculatorTests {

	private static final FingerprintRules BYTES = new FingerprintRules(false, List.of(), List.of());

	private static final FingerprintRules JSON = new FingerprintRules(true, List.of(), List.of());

	private static final FingerprintRules VERSIONED = new FingerprintRules(false, List.of("API-Version"), List.of());

	/** If this fails, running claims and old records meet retries as strangers. */
	@Test
	void theFingerprintOfARequestStaysTheSameFromReleaseToRelease() {
		Fingerprint fingerprint = of(BYTES, "b=2&a=1", "{\"amount\":1299}");
		assertThat(fingerprint.rules()).isEqualTo(1324664247);
		assertThat(HexFormat.of().formatHex(fingerprint.digest()))
			.isEqualTo("71025725416a5b029c87b28b2d1adf0a580ade4130d7199ae69a582109e205cf");
		assertThat(HexFormat.of().formatHex(fingerprint.raw()))
			.isEqualTo("963690170f60690055d0a2b4e2af745b090a9818b76dffa67c17552e1ecac9f8");
		assertThat(HexFormat.of().formatHex(of(JSON, "", "{\"amount\":1299}").digest()))
			.isEqualTo("b691b9e6796433e9fc8cf33751b15f941c4844e03f0a56f11bf2a66e510811cf");
	}

	@Test
	void oneOctetMakesAnotherRequest() {
		assertThat(of(BYTES, "", "{\"amount\":1299}").matches(of(BYTES, "", "{\"amount\":1298}"))).isFalse();
	}

	@Test
	void bytesDoNotForgiveAnotherSpelling() {
		assertThat(of(BYTES, "", "{\"a\":1,\"b\":2}").matches(of(BYTES, "", "{\"b\":2,\"a\":1}"))).isFalse();
	}

	@Test
	void jsonForgivesAnotherSpelling() {
		assertThat(of(JSON, "", "{\"a\":1,\"b\":2}").matches(of(JSON, "", "{\"b\":2.0, \"a\":1}"))).isTrue();
	}

	@Test
	void invalidJsonIsComparedAsBytes() {
		assertThat(of(JSON, "", "{\"a\":1,}").matches(of(JSON, "", "{\"a\":1,}"))).isTrue();
		assertThat(of(JSON, "", "{\"a\":1,}").matches(of(JSON, "", "{\"a\":1, }"))).isFalse();
		assertThat(of(JSON, "", "{\"a\":1} x").matches(of(JSON, "", "{\"a\":1}"))).isFalse();
		assertThat(of(JSON, "", "").matches(of(JSON, "", "null"))).isFalse();
	}

	@Test
	void theQueryCountsButNotTheOrderOfItsNames() {
		assertThat(of(BYTES, "a=1&b=2", "x").matches(of(BYTES, "b=2&a=1", "x"))).isTrue();
		assertThat(of(BYTES, "a=1", "x").matches(of(BYTES, "a=2", "x"))).isFalse();
		assertThat(of(BYTES, "a=1", "x").matches(of(BYTES, "", "x"))).isFalse();
	}

	@Test
	void queryAndBodyDoNotRunIntoOneAnother() {
		assertThat(of(BYTES, "a", "bc").matches(of(BYTES, "ab", "c"))).isFalse();
	}

	@Test
	void aListedHeaderCountsWhateverTheCaseOfItsName() {
		Fingerprint second = of(VERSIONED, headers("API-Version", "2"));
		assertThat(second.matches(of(VERSIONED, headers("api-version", "2")))).isTrue();
		assertThat(second.matches(of(VERSIONED, headers("API-Version", "3")))).isFalse();
		assertThat(second.matches(of(VERSIONED, new HttpHeaders()))).isFalse();
	}

	@Test
	void anEmptyHeaderIsNotAnAbsentOne() {
		assertThat(of(VERSIONED, headers("API-Version", "")).matches(of(VERSIONED, new HttpHeaders()))).isFalse();
	}

	@Test
	void theLinesOfAListedHeaderCountInTheirOrder() {
		Fingerprint lines = of(VERSIONED, headers("API-Version", "1", "2"));
		assertThat(lines.matches(of(VERSIONED, headers("API-Version", "2", "1")))).isFalse();
		assertThat(lines.matches(of(VERSIONED, headers("API-Version", "12")))).isFalse();
		assertThat(lines.matches(of(VERSIONED, headers("API-Version", "1", "2")))).isTrue();
	}

	@Test
	void otherHeadersDoNotCount() {
		assertThat(of(BYTES, headers("User-Agent", "one")).matches(of(BYTES, headers("User-Agent", "two")))).isTrue();
	}

	@Test
	void valuesDoNotMoveBetweenListedHeaders() {
		FingerprintRules both = new FingerprintRules(false, List.of("A", "B"), List.of());
		assertThat(of(both, headers("A", "1")).matches(of(both, headers("B", "1")))).isFalse();
	}

	@Test
	void whenRulesChangeEqualOctetsAreTheSameRequest() {
		assertThat(of(BYTES, "a=1", "{}").matches(of(JSON, "a=1", "{}"))).isTrue();
		assertThat(of(BYTES, "a=1", "{}").matches(of(JSON, "a=1", "{ }"))).isFalse();
		assertThat(of(BYTES, "a=1", "{}").matches(of(JSON, "a=2", "{}"))).isFalse();
	}

	@Test
	void theOrderInWhichRulesAreListedDoesNotMatter() {
		FingerprintRules one = new FingerprintRules(true, List.of("A", "b"), List.of("/x", "/y"));
		FingerprintRules other = new FingerprintRules(true, List.of("B", "a", "A"), List.of("/y", "/x"));
		assertThat(of(one, "", "{}").rules()).isEqualTo(of(other, "", "{}").rules());
		assertThat(of(one, "", "{}").matches(of(other, "", "{\"x\":1}"))).isTrue();
	}

	@Test
	void otherRulesHaveAnotherHash() {
		assertThat(List.of(BYTES, JSON, VERSIONED, new FingerprintRules(true, List.of(), List.of("/x"))))
			.extracting((rules) -> of(rules, "", "").rules())
			.doesNotHaveDuplicates();
	}

	private static Fingerprint of(FingerprintRules rules, String query, String body) {
		return new FingerprintCalculator(rules).calculate(query, body.getBytes(StandardCharsets.UTF_8),
				new HttpHeaders());
	}

	private static Fingerprint of(FingerprintRules rules, HttpHeaders headers) {
		return new FingerprintCalculator(rules).calculate("", new byte[0], headers);
	}

	private static HttpHeaders headers(String name, String... values) {
		HttpHeaders headers = new HttpHeaders();
		headers.addAll(name, List.of(values));
		return headers;
	}

}
