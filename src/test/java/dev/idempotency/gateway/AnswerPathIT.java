package dev.idempotency.gateway;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;

/** What a client gets, down to the octets: fresh answers, replays and problems. */
class AnswerPathIT {

	private static final ScriptedBackend backend = ScriptedBackend.start();

	private static final AtomicInteger number = new AtomicInteger();

	private static RunningGateway gateway;

	private final String path = "/" + number.incrementAndGet();

	@BeforeAll
	static void start() {
		gateway = RunningGateway.start("""
				spring.cloud.gateway.server.webflux:
				  globalcors.cors-configurations.'[/**]':
				    allowedOrigins: "https://shop.example"
				    allowedMethods: [ POST ]
				    allowedHeaders: [ Idempotency-Key ]
				  routes:
				    - id: named
				      uri: %1$s
				      predicates: [ "Path=/named/**" ]
				      filters:
				        - name: Idempotency
				          args: { header: X-Request-Key, aliases: "Idempotency-Key" }
				    - id: hasty
				      uri: %1$s
				      predicates: [ "Path=/hasty/**" ]
				      filters:
				        - name: Idempotency
				          args: { timeout: 200ms, late-answer: 60s }
				    - id: pay
				      uri: %1$s
				      predicates: [ "Path=/**" ]
				      filters: [ "Idempotency" ]
				idempotency:
				  policies.default:
				    anonymous: share
				    max-request-size: 100KB
				    max-response-size: 100KB
				    retry.max-attempts: 1
				""".formatted(backend.uri()));
	}

	@AfterAll
	static void stop() {
		gateway.close();
		backend.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 204, 304 })
	void anAnswerWithoutContentHasNeitherBodyNorLength(int status) {
		backend.on(this.path, Reply.of(status).header("ETag", "\"1\""));
		RawResponse fresh = post("k");
		RawResponse replay = post("k");
		for (RawResponse answer : new RawResponse[] { fresh, replay }) {
			assertThat(answer.status()).isEqualTo(status);
			assertThat(answer.headers("Content-Length")).isEmpty();
			assertThat(answer.headers("Transfer-Encoding")).isEmpty();
			assertThat(answer.header("ETag")).isEqualTo("\"1\"");
		}
		assertReplayed(replay);
	}

	@ParameterizedTest
	@ValueSource(ints = { 200, 201, 202, 205, 303 })
	void anEmptyAnswerIsReplayedEmpty(int status) {
		backend.on(this.path, Reply.of(status).header("Location", "/charges/1").chunked());
		try (RawHttpClient client = gateway.connect()) {
			RawResponse fresh = client.send(request("k")).read();
			RawResponse replay = client.send(request("k")).read();
			assertThat(fresh.status()).isEqualTo(status);
			assertThat(replay.status()).isEqualTo(status);
			assertThat(replay.body()).isEmpty();
			assertThat(replay.clean()).isTrue();
			assertThat(replay.header("Location")).isEqualTo("/charges/1");
			assertReplayed(replay);
		}
	}

	@Test
	void theKeyReachesABackendAlsoWhereAClientCallsItAMatterOfHisConnection() {
		RawRequest odd = request("k").header("Connection", "X-Mine, idempotency-key").header("X-Mine", "1");
		assertThat(gateway.send(odd).status()).isEqualTo(200);
		assertThat(backend.arrivals(this.path).get(0).key()).isEqualTo("k");
		assertThat(backend.arrivals(this.path).get(0).header("X-Mine")).isNull();
	}

	@Test
	void aRequestThatWouldUpgradeItsConnectionIsCarriedOutWithoutThat() {
		RawRequest odd = request("k").header("Connection", "Upgrade")
			.header("Upgrade", "websocket")
			.header("Sec-WebSocket-Version", "13")
			.header("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==");
		assertThat(gateway.send(odd).status()).isEqualTo(200);
		assertReplayed(post("k"));
		assertThat(backend.executions(this.path)).isOne();
	}

	@Test
	void everyLineOfAHeaderIsReplayedInItsOrder() {
		backend.on(this.path,
				Reply.json(201, "{}")
					.header("Link", "</a>; rel=next")
					.header("X-Part", "b")
					.header("Link", "</b>; rel=prev")
					.header("X-Part", "a"));
		post("k");
		RawResponse replay = post("k");
		assertThat(replay.headers("Link")).containsExactly("</a>; rel=next", "</b>; rel=prev");
		assertThat(replay.headers("X-Part")).containsExactly("b", "a");
	}

	@Test
	void whatConcernsOneExchangeOnlyIsNotReplayed() {
		backend.on(this.path,
				Reply.json(200, "{}")
					.header("Set-Cookie", "a=1")
					.header("Set-Cookie", "b=2")
					.header("Connection", "X-Hop")
					.header("X-Hop", "1")
					.header("Retry-After", "9")
					.header("Date", "Tue, 01 Jan 2030 00:00:00 GMT")
					.header("X-Request-Id", "1"));
		RawResponse fresh = post("k");
		assertThat(fresh.headers("Set-Cookie")).containsExactly("a=1", "b=2");
		assertThat(fresh.header("Date")).isEqualTo("Tue, 01 Jan 2030 00:00:00 GMT");
		assertThat(fresh.headers("X-Hop")).isEmpty();
		RawResponse replay = post("k");
		for (String name : new String[] { "Set-Cookie", "X-Hop", "Retry-After", "X-Request-Id" }) {
			assertThat(replay.headers(name)).as(name).isEmpty();
		}
		assertThat(replay.headers("Date")).hasSize(1).doesNotContain("Tue, 01 Jan 2030 00:00:00 GMT");
		assertThat(replay.headers("Content-Length")).containsExactly("2");
	}

	@Test
	void aPackedAnswerIsUnpackedForAClientThatTakesNoGzip() throws IOException {
		backend.on(this.path,
				Reply.of(200)
					.header("Content-Type", "application/json")
					.header("Content-Encoding", "gzip")
					.header("Vary", "Accept-Encoding")
					.body(gzip("{\"id\":1}")));
		RawResponse fresh = gateway.send(request("k").header("Accept-Encoding", "gzip"));
		assertThat(fresh.header("Content-Encoding")).isEqualTo("gzip");
		RawResponse packed = gateway.send(request("k").header("Accept-Encoding", "gzip"));
		assertThat(packed.body()).isEqualTo(fresh.body());
		RawResponse unpacked = gateway.send(request("k").header("Accept-Encoding", "identity"));
		assertThat(unpacked.text()).isEqualTo("{\"id\":1}");
		assertThat(unpacked.headers("Content-Encoding")).isEmpty();
		assertThat(unpacked.headers("Content-Length")).containsExactly("8");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 102_399, 102_400 })
	void anyOctetsUpToTheLimitAreReplayed(int length) {
		byte[] octets = new byte[length];
		new java.util.Random(1).nextBytes(octets);
		backend.on(this.path, Reply.of(200).body(octets).chunked().pieces(10_000));
		assertThat(post("k").body()).isEqualTo(octets);
		RawResponse replay = post("k");
		assertThat(replay.body()).isEqualTo(octets);
		assertReplayed(replay);
	}

	@Test
	void anOversizedAnswerPassesThroughWholeAndLeavesATombstone() {
		byte[] octets = new byte[3_000_000];
		new java.util.Random(1).nextBytes(octets);
		backend.on(this.path, Reply.of(201).body(octets));
		RawResponse fresh = post("k");
		assertThat(fresh.body()).isEqualTo(octets);
		assertThat(fresh.clean()).isTrue();
		assertThat(fresh.header("Idempotency-Key")).isEqualTo("k");
		assertProblem(post("k"), 409, "replay-unavailable", "applied", false);
		assertThat(backend.executions(this.path)).isOne();
	}

	@Test
	void eventsArriveAsTheyAreProduced() {
		CountDownLatch gate = new CountDownLatch(1);
		backend.on(this.path,
				Reply.of(200)
					.header("Content-Type", "text/event-stream")
					.body("data: 1\n\n")
					.chunked()
					.bodyAfter(gate));
		try (RawHttpClient client = gateway.connect()) {
			client.send(request("k"));
			backend.awaitExecutions(this.path, 1);
			gate.countDown();
			RawResponse answer = client.read();
			assertThat(answer.text()).isEqualTo("data: 1\n\n");
			assertThat(answer.clean()).isTrue();
		}
		assertProblem(post("k"), 409, "replay-unavailable", "applied", false);
	}

	@Test
	void aTruncatedAnswerIsNoCleanSuccess() {
		backend.on(this.path, Reply.json(200, "0123456789").contentLength("20").thenClose());
		RawResponse fresh = post("k");
		assertProblem(fresh, 502, "upstream-failed", "unknown", false);
		assertProblem(post("k"), 409, "outcome-unknown", "unknown", false);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aStreamThatBreaksOffIsNoCleanSuccess(boolean reset) {
		Reply large = Reply.of(200).body(new byte[300_000]).chunked().pieces(50_000);
		backend.on(this.path, reset ? large.resetAfter(200_000) : large.cutAfter(200_000));
		RawResponse fresh = post("k");
		// A reset may overtake what was sent before it; then nothing has been passed on
		// yet.
		assertThat(fresh.status()).isIn(200, 502);
		assertThat(fresh.clean() && fresh.status() == 200).as("%s bytes were the whole answer", fresh.body().length)
			.isFalse();
		assertThat(post("k").status()).isEqualTo(409);
		assertThat(backend.executions(this.path)).isOne();
	}

	@Test
	void aMissingKeyIsAProblem() {
		assertProblem(gateway.send(RawRequest.post(this.path, "{}")), 400, "key-missing", "not-applied", false);
		assertThat(backend.arrivals(this.path)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\"\"", "a b", "a,b", "\"a", "ö" })
	void aMalformedKeyIsAProblemAndIsNotEchoed(String key) {
		RawResponse answer = gateway.send(RawRequest.post(this.path, "{}").key(key));
		assertProblem(answer, 400, "key-invalid", "not-applied", false);
		assertThat(answer.headers("Idempotency-Key")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "a", "\"a\"" })
	void theKeyIsEchoedAsItWasSent(String key) {
		backend.on(this.path, Reply.json(201, "{}").header("Idempotency-Key", "the backend's own"));
		assertThat(post(key).headers("Idempotency-Key")).containsExactly(key);
		assertThat(post("a").headers("Idempotency-Key")).containsExactly("a");
		assertThat(post("\"a\"").headers("Idempotency-Key")).containsExactly("\"a\"");
		RawResponse reused = gateway.send(RawRequest.post(this.path, "{\"other\":1}").key(key));
		assertProblem(reused, 422, "key-reused", "unknown", false);
		assertThat(reused.headers("Idempotency-Key")).containsExactly(key);
	}

	@Test
	void theKeyIsEchoedWhereItCame() {
		String named = "/named" + this.path;
		RawRequest bare = RawRequest.post(named, "{}");
		RawResponse alias = gateway.send(bare.key("a"));
		assertThat(alias.headers("Idempotency-Key")).containsExactly("a");
		assertThat(alias.headers("X-Request-Key")).isEmpty();
		RawResponse canonical = gateway.send(bare.header("X-Request-Key", "a"));
		assertThat(canonical.headers("X-Request-Key")).containsExactly("a");
		assertThat(canonical.headers("Idempotency-Key")).isEmpty();
		assertReplayed(canonical);
	}

	@Test
	void aDuplicateInFlightIsToldToWait() {
		CountDownLatch gate = new CountDownLatch(1);
		backend.on(this.path, Reply.json(201, "{}").after(gate));
		try (RawHttpClient first = gateway.connect()) {
			first.send(request("k"));
			backend.awaitExecutions(this.path, 1);
			RawResponse duplicate = post("k");
			assertProblem(duplicate, 409, "in-progress", "unknown", true);
			assertThat(duplicate.header("Retry-After")).matches("[1-9]\\d*");
			assertThat(duplicate.headers("Idempotency-Key")).containsExactly("k");
			assertThat(duplicate.headers("Preference-Applied")).isEmpty();
			RawResponse other = gateway.send(RawRequest.post(this.path, "{\"other\":1}").key("k"));
			assertProblem(other, 422, "key-reused", "unknown", false);
			RawResponse impatient = gateway.send(request("k").header("Prefer", "respond-async, wait=0"));
			assertProblem(impatient, 409, "in-progress", "unknown", true);
			assertThat(impatient.headers("Preference-Applied")).containsExactly("wait=0");
			gate.countDown();
			assertThat(first.read().status()).isEqualTo(201);
		}
	}

	@Test
	void aDuplicateThatPrefersToWaitGetsTheReplay() {
		CountDownLatch gate = new CountDownLatch(1);
		backend.on(this.path, Reply.json(201, "{}").after(gate));
		try (RawHttpClient first = gateway.connect(); RawHttpClient second = gateway.connect()) {
			first.send(request("k"));
			backend.awaitExecutions(this.path, 1);
			second.send(request("k").header("Prefer", "wait=100"));
			gate.countDown();
			RawResponse replay = second.read();
			assertReplayed(replay);
			assertThat(replay.headers("Preference-Applied")).containsExactly("wait=30");
		}
		assertThat(backend.executions(this.path)).isOne();
	}

	@Test
	void aTimeoutIsAProblemAndItsRetryIsTold() {
		CountDownLatch gate = new CountDownLatch(1);
		String hasty = "/hasty" + this.path;
		backend.on(hasty, Reply.json(201, "{}").after(gate));
		RawRequest request = RawRequest.post(hasty, "{}").key("k");
		RawResponse timeout = gateway.send(request);
		assertProblem(timeout, 504, "upstream-timeout", "unknown", true);
		assertThat(timeout.headers("Idempotency-Key")).containsExactly("k");
		assertProblem(gateway.send(request), 409, "in-progress", "unknown", true);
		gate.countDown();
		Awaitility.await().untilAsserted(() -> assertReplayed(gateway.send(request)));
		assertThat(backend.executions(hasty)).isOne();
	}

	@Test
	void aBrokenAnswerIsAProblem() {
		backend.on(this.path, Reply.reset());
		assertProblem(post("k"), 502, "upstream-failed", "unknown", false);
		assertProblem(post("k"), 409, "outcome-unknown", "unknown", false);
		assertThat(post("k").headers("Retry-After")).isEmpty();
	}

	@Test
	void anAnswerInDoubtIsReplayedAsSuch() {
		backend.on(this.path, Reply.json(500, "{\"error\":1}"));
		assertThat(post("k").headers("Idempotency-Outcome")).isEmpty();
		RawResponse replay = post("k");
		assertThat(replay.status()).isEqualTo(500);
		assertThat(replay.text()).isEqualTo("{\"error\":1}");
		assertReplayed(replay);
		assertThat(replay.headers("Idempotency-Outcome")).containsExactly("unknown");
	}

	@Test
	void anotherRequestUnderTheKeyOfATimeoutIsAReuse() {
		backend.on(this.path, Reply.reset());
		post("k");
		assertProblem(gateway.send(RawRequest.post(this.path, "{\"other\":1}").key("k")), 422, "key-reused", "unknown",
				false);
	}

	@Test
	void scriptsOfOtherOriginsMayReadWhatTheyNeed() {
		RawRequest request = request("k").header("Origin", "https://shop.example");
		for (RawResponse answer : new RawResponse[] { gateway.send(request), gateway.send(request),
				gateway.send(RawRequest.post(this.path, "[]").key("k").header("Origin", "https://shop.example")) }) {
			assertThat(answer.headers("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
			assertThat(answer.header("Access-Control-Expose-Headers")).contains("Idempotent-Replayed",
					"Idempotency-Key", "Idempotency-Status", "Retry-After", "Location");
		}
		assertThat(post("k").headers("Access-Control-Expose-Headers")).isEmpty();
	}

	@Test
	void aPreflightIsNoOperation() {
		RawResponse preflight = gateway.send(RawRequest.of("OPTIONS", this.path)
			.header("Origin", "https://shop.example")
			.header("Access-Control-Request-Method", "POST")
			.header("Access-Control-Request-Headers", "idempotency-key"));
		assertThat(preflight.status()).isEqualTo(200);
		assertThat(preflight.header("Access-Control-Allow-Headers")).containsIgnoringCase("idempotency-key");
		assertThat(backend.arrivals(this.path)).isEmpty();
	}

	@Test
	void anOldClientGetsItsAnswersToo() {
		byte[] octets = new byte[150_000];
		backend.on(this.path, Reply.json(201, "{\"id\":1}"), Reply.of(200).body(octets).chunked());
		String head = "POST " + this.path
				+ " HTTP/1.0\r\nHost: localhost\r\nIdempotency-Key: %s\r\nContent-Length: 2\r\n\r\n{}";
		for (String key : new String[] { "k", "k", "stream" }) {
			try (RawHttpClient client = gateway.connect()) {
				RawResponse answer = client.send(head.formatted(key)).read();
				assertThat(answer.headers("Transfer-Encoding")).isEmpty();
				assertThat(answer.clean()).isTrue();
				assertThat(answer.body().length).isEqualTo("k".equals(key) ? 8 : octets.length);
				assertThat(client.ended()).isTrue();
			}
		}
		assertThat(backend.executions(this.path)).isEqualTo(2);
	}

	@Test
	void anAnswerStaysUntouchedButForTheEcho() {
		backend.on(this.path,
				Reply.json(201, "{}")
					.header("Server", "s/1")
					.header("X-Id", "1")
					.header("Date", "Tue, 01 Jan 2030 00:00:00 GMT"));
		RawResponse fresh = post("k");
		assertThat(fresh.headers()).extracting((line) -> line.name().toLowerCase(java.util.Locale.ROOT))
			.containsExactlyInAnyOrder("content-type", "content-length", "server", "x-id", "date", "idempotency-key",
					"vary", "vary", "vary");
	}

	private RawRequest request(String key) {
		return RawRequest.post(this.path, "{}").key(key);
	}

	private RawResponse post(String key) {
		return gateway.send(request(key));
	}

	private static void assertReplayed(RawResponse answer) {
		assertThat(answer.headers("Idempotent-Replayed")).as(answer.toString()).containsExactly("true");
	}

	private static void assertProblem(RawResponse answer, int status, String code, String outcome, boolean retryable) {
		assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
		assertThat(answer.headers("Content-Type")).containsExactly("application/problem+json");
		assertThat(answer.headers("Cache-Control")).containsExactly("no-store");
		assertThat(answer.headers("Link")).containsExactly("</.well-known/idempotency>; rel=\"describedby\"");
		assertThat(answer.headers("Idempotent-Replayed")).isEmpty();
		assertThat(answer.text()).contains("\"type\":\"urn:idempotency-gateway:problem:" + code + "\"",
				"\"code\":\"" + code + "\"", "\"status\":" + status, "\"outcome\":\"" + outcome + "\"",
				"\"retryable\":" + retryable, "\"instance\":\"/");
	}

	private static byte[] gzip(String text) throws IOException {
		ByteArrayOutputStream packed = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
			new ByteArrayInputStream(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)).transferTo(out);
		}
		return packed.toByteArray();
	}

}
