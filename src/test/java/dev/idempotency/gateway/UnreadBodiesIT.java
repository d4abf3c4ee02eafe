package dev.idempotency.gateway;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;
import dev.idempotency.upstream.BodyBudget;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that are answered before their body was read, or whose body never comes whole.
 */
class UnreadBodiesIT {

	private static final int LARGE = 20_000_000;

	private static final ScriptedBackend backend = ScriptedBackend.start();

	private static final AtomicInteger number = new AtomicInteger();

	private static RunningGateway gateway;

	private final String path = "/" + number.incrementAndGet();

	@BeforeAll
	static void start() {
		gateway = RunningGateway.start("""
				spring.cloud.gateway.server.webflux.routes:
				  - id: pay
				    uri: %s
				    predicates: [ "Path=/**" ]
				    filters: [ "Idempotency" ]
				idempotency.policies.default: { anonymous: share, max-request-size: 100KB }
				""".formatted(backend.uri()));
	}

	@AfterAll
	static void stop() {
		gateway.close();
		backend.close();
	}

	@AfterEach
	void nothingIsHeldAndNothingReachedTheBackend() {
		Awaitility.await().untilAsserted(() -> assertThat(gateway.bean(BodyBudget.class).held()).isZero());
	}

	@Test
	void aBodyThatIsAnnouncedTooLargeIsRefusedWhileTheClientStillSends() {
		try (RawHttpClient client = gateway.connect()) {
			CompletableFuture<Boolean> sent = sending(client, RawRequest.post(this.path, "x".repeat(LARGE)).key("k"));
			assertTooLarge(client.read());
			assertSoundOrClosed(client, sent);
		}
		assertThat(backend.executions(this.path, "k")).isZero();
	}

	@Test
	void aBodyThatTurnsOutTooLargeIsRefusedWhileTheClientStillSends() {
		String chunks = ("10000\r\n" + "x".repeat(65536) + "\r\n").repeat(LARGE / 65536) + "0\r\n\r\n";
		RawRequest request = RawRequest.of("POST", this.path)
			.key("k")
			.header("Transfer-Encoding", "chunked")
			.body(chunks);
		try (RawHttpClient client = gateway.connect()) {
			CompletableFuture<Boolean> sent = sending(client, request);
			assertTooLarge(client.read());
			assertSoundOrClosed(client, sent);
		}
		assertThat(backend.executions(this.path, "k")).isZero();
	}

	@Test
	void aClientThatSendsFirstAndReadsThenGetsTheRefusalToo() {
		try (RawHttpClient client = gateway.connect()) {
			client.send(RawRequest.post(this.path, "x".repeat(LARGE)).key("k"));
			assertTooLarge(client.read());
		}
	}

	@Test
	void aClientThatWantsTheConnectionClosedGetsTheRefusalBeforeThat() {
		try (RawHttpClient client = gateway.connect()) {
			client.send(RawRequest.post(this.path, "x".repeat(LARGE)).key("k").header("Connection", "close"));
			assertTooLarge(client.read());
			assertThat(client.ended()).isTrue();
		}
	}

	@Test
	void soDoesOneWhoseBodyTurnsOutTooLarge() {
		String chunks = ("10000\r\n" + "x".repeat(65536) + "\r\n").repeat(LARGE / 65536) + "0\r\n\r\n";
		try (RawHttpClient client = gateway.connect()) {
			client.send(RawRequest.of("POST", this.path)
				.key("k")
				.header("Connection", "close")
				.header("Transfer-Encoding", "chunked")
				.body(chunks));
			assertTooLarge(client.read());
		}
	}

	@Test
	void aRefusedKeyLeavesTheConnectionSound() {
		try (RawHttpClient client = gateway.connect()) {
			CompletableFuture<Boolean> sent = sending(client,
					RawRequest.post(this.path, "x".repeat(90_000)).key("a b"));
			assertThat(client.read().status()).isEqualTo(400);
			assertSoundOrClosed(client, sent);
		}
	}

	@Test
	void aClientThatAsksFirstIsToldToGoOn() {
		try (RawHttpClient client = gateway.connect()) {
			client.send(RawRequest.of("POST", this.path)
				.key("k")
				.header("Expect", "100-continue")
				.header("Content-Length", "2")
				.bytes());
			client.send("{}");
			RawResponse answer = client.read();
			assertThat(answer.interim()).containsExactly(100);
			assertThat(answer.status()).isEqualTo(200);
		}
		assertThat(backend.arrivals(this.path).get(0).text()).isEqualTo("{}");
	}

	@Test
	void aClientThatAsksFirstIsToldNotToGoOnAndMayNotMistakeTheNextRequest() {
		try (RawHttpClient client = gateway.connect()) {
			client.send(RawRequest.of("POST", this.path)
				.key("k")
				.header("Expect", "100-continue")
				.header("Content-Length", Integer.toString(LARGE))
				.bytes());
			RawResponse answer = client.read();
			assertThat(answer.interim()).isEmpty();
			assertTooLarge(answer);
			assertThat(answer.header("Connection")).isEqualToIgnoringCase("close");
			assertThat(client.ended()).isTrue();
		}
	}

	@Test
	void aBodyThatEndsTooSoonClaimsNothing() {
		try (RawHttpClient client = gateway.connect()) {
			client.send(
					"POST " + this.path + " HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k\r\nContent-Length: 10\r\n\r\n{}");
			client.finishSending();
			assertThat(client.ended()).isTrue();
		}
		assertUnspent();
	}

	@Test
	void aChunkedBodyThatBreaksOffClaimsNothing() {
		try (RawHttpClient client = gateway.connect()) {
			client.send("POST " + this.path
					+ " HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n");
			assertThat(client.read().status()).isEqualTo(400);
			assertThat(client.ended()).isTrue();
		}
		assertUnspent();
	}

	private void assertUnspent() {
		assertThat(backend.executions(this.path, "k")).isZero();
		RawResponse other = gateway.send(RawRequest.post(this.path, "[]").key("k"));
		assertThat(other.status()).isEqualTo(200);
		assertThat(other.headers("Idempotent-Replayed")).isEmpty();
	}

	private static CompletableFuture<Boolean> sending(RawHttpClient client, RawRequest request) {
		return CompletableFuture.supplyAsync(() -> {
			try {
				client.send(request);
				return true;
			}
			catch (java.io.UncheckedIOException ex) {
				return false;
			}
		});
	}

	private static void assertTooLarge(RawResponse answer) {
		assertThat(answer.status()).as(answer.toString()).isEqualTo(413);
		assertThat(answer.clean()).isTrue();
		assertThat(answer.text()).contains("\"code\":\"request-too-large\"", "\"outcome\":\"unknown\"",
				"\"retryable\":false");
	}

	/**
	 * Either all of it went out and the next request is served, or the connection has
	 * ended.
	 */
	private void assertSoundOrClosed(RawHttpClient client, CompletableFuture<Boolean> sent) {
		if (!sent.join()) {
			assertThat(client.ended()).isTrue();
			return;
		}
		try {
			client.send(RawRequest.post(this.path, "{}").key("next"));
			assertThat(client.read().status()).isEqualTo(200);
		}
		catch (java.io.UncheckedIOException ex) {
			assertThat(client.ended()).isTrue();
		}
	}

}
