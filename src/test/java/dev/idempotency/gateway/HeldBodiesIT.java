package dev.idempotency.gateway;

import java.util.concurrent.CountDownLatch;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code idempotency.max-buffered} bounds, and that all of it is given back. */
class HeldBodiesIT {

	private static final String HALF = "x".repeat(6_000);

	private static final ScriptedBackend backend = ScriptedBackend.start();

	private static RunningGateway gateway;

	@BeforeAll
	static void start() {
		gateway = RunningGateway.start("""
				spring.cloud.gateway.server.webflux.routes:
				  - id: pay
				    uri: %s
				    predicates: [ "Path=/**" ]
				    filters: [ "Idempotency" ]
				idempotency:
				  max-buffered: 10KB
				  policies.default.anonymous: share
				""".formatted(backend.uri()));
	}

	@AfterAll
	static void stop() {
		gateway.close();
		backend.close();
	}

	/** Whatever a test did, room is free again afterwards, all of it. */
	@AfterEach
	void everythingIsGivenBack() {
		Awaitility.await()
			.untilAsserted(() -> assertThat(gateway.bean(dev.idempotency.upstream.BodyBudget.class).held()).isZero());
	}

	@Test
	void replaysGiveBackWhatTheirRequestsHeld() {
		for (int i = 0; i < 5; i++) {
			assertThat(post("/replay", "k", HALF).status()).isEqualTo(200);
		}
		assertThat(backend.executions("/replay")).isOne();
	}

	@Test
	void refusalsGiveBackWhatTheirRequestsHeld() {
		post("/reuse", "k", "{}");
		for (int i = 0; i < 5; i++) {
			assertThat(post("/reuse", "k", HALF).status()).isEqualTo(422);
		}
	}

	@Test
	void aRequestThatFindsNoRoomIsTurnedAwayAndItsKeyIsNotSpent() {
		CountDownLatch gate = new CountDownLatch(1);
		backend.on("/full", Reply.json(200, "{}").after(gate));
		try (RawHttpClient first = gateway.connect()) {
			first.send(RawRequest.post("/full", HALF).key("first"));
			backend.awaitExecutions("/full", 1);
			RawResponse refused = post("/full", "second", HALF);
			assertThat(refused.status()).isEqualTo(503);
			assertThat(refused.text()).contains("\"code\":\"too-busy\"", "\"outcome\":\"not-applied\"",
					"\"retryable\":true");
			assertThat(post("/full", "first", HALF).text()).contains("\"code\":\"too-busy\"",
					"\"outcome\":\"unknown\"");
			gate.countDown();
			assertThat(first.read().status()).isEqualTo(200);
		}
		assertThat(post("/full", "second", HALF).status()).isEqualTo(200);
	}

	@Test
	void theBodyOfAnOperationCountsUntilItsEndThoughItsClientHasGone() {
		CountDownLatch gate = new CountDownLatch(1);
		backend.on("/gone", Reply.json(200, "{}").after(gate));
		RawHttpClient client = gateway.connect();
		client.send(RawRequest.post("/gone", HALF).key("first"));
		backend.awaitExecutions("/gone", 1);
		client.reset();
		Awaitility.await()
			.during(java.time.Duration.ofMillis(300))
			.atMost(java.time.Duration.ofSeconds(3))
			.untilAsserted(() -> assertThat(post("/gone", "second", HALF).text()).contains("too-busy"));
		gate.countDown();
	}

	@Test
	void aClientThatGoesAwayHalfWayHoldsNothingAndClaimsNothing() {
		RawHttpClient client = gateway.connect();
		client.send(
				"POST /half HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: k\r\nContent-Length: 9000\r\n\r\n" + HALF);
		Awaitility.await().until(() -> gateway.bean(dev.idempotency.upstream.BodyBudget.class).held() == HALF.length());
		client.reset();
		Awaitility.await().until(() -> gateway.bean(dev.idempotency.upstream.BodyBudget.class).held() == 0);
		assertThat(backend.arrivals("/half")).isEmpty();
		assertThat(post("/half", "k", "{}").header("Idempotent-Replayed")).isNull();
	}

	private static RawResponse post(String path, String key, String body) {
		return gateway.send(RawRequest.post(path, body).key(key));
	}

}
