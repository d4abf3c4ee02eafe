package dev.idempotency.gateway;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import dev.idempotency.testing.ForwardingStore;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;
import dev.idempotency.upstream.BodyBudget;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** What a client gets while records cannot be reached. */
class StoreFailureIT {

	private static final ScriptedBackend backend = ScriptedBackend.start();

	private static RunningGateway gateway;

	@BeforeAll
	static void start() {
		gateway = RunningGateway
			.start("""
					spring.cloud.gateway.server.webflux:
					  globalcors.cors-configurations.'[/**]': { allowedOrigins: "*", allowedMethods: "*" }
					  routes:
					    - id: rejecting
					      uri: %1$s
					      predicates: [ "Path=/rejecting/**" ]
					      filters: [ Idempotency ]
					    - id: forwarding
					      uri: %1$s
					      predicates: [ "Path=/forwarding/**" ]
					      filters: [ { name: Idempotency, args: { store-failure: forward } }, "AddRequestHeader=X-Behind, 1" ]
					idempotency.policies.default.anonymous: share
					"""
				.formatted(backend.uri()), Host.class);
	}

	@AfterAll
	static void stop() {
		gateway.close();
		backend.close();
	}

	@AfterEach
	void nothingIsHeld() {
		Awaitility.await().untilAsserted(() -> assertThat(gateway.bean(BodyBudget.class).held()).isZero());
	}

	@Test
	void aRequestIsRejectedBeforeAnythingIsForwarded() {
		RawResponse answer = gateway.send(RawRequest.post("/rejecting/1", "{}").key("k"));
		assertThat(answer.status()).isEqualTo(503);
		assertThat(answer.text()).contains("\"code\":\"store-unavailable\"", "\"outcome\":\"unknown\"",
				"\"retryable\":true");
		assertThat(answer.header("Retry-After")).isNotNull();
		assertThat(backend.arrivals("/rejecting/1")).isEmpty();
	}

	@Test
	void aRequestIsForwardedWholeAndMarkedWhereThePolicySaysSo() {
		String body = "x".repeat(500_000);
		RawResponse answer = gateway
			.send(RawRequest.post("/forwarding/1", body).key("k").header("Origin", "https://a"));
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.headers("Idempotency-Status")).containsExactly("unprotected");
		assertThat(answer.header("Access-Control-Expose-Headers")).contains("Idempotency-Status");
		assertThat(backend.arrivals("/forwarding/1")).singleElement().satisfies((arrival) -> {
			assertThat(arrival.text()).isEqualTo(body);
			assertThat(arrival.key()).isEqualTo("k");
			assertThat(arrival.headers("X-Behind")).containsExactly("1");
		});
	}

	@Test
	void aBodyInChunksIsForwardedWholeToo() {
		RawResponse answer = gateway.send(RawRequest.of("POST", "/forwarding/2")
			.key("k")
			.header("Transfer-Encoding", "chunked")
			.body("2\r\n{}\r\n1\r\n \r\n0\r\n\r\n"));
		assertThat(answer.status()).isEqualTo(200);
		assertThat(backend.arrivals("/forwarding/2").get(0).text()).isEqualTo("{} ");
	}

	@Configuration(proxyBeanMethods = false)
	static class Host {

		@Bean
		IdempotencyStore store() {
			return new ForwardingStore(new MemoryIdempotencyStore(1 << 20, System::nanoTime)) {

				@Override
				public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
					return Mono.error(new StoreUnavailableException("away", null));
				}

			};
		}

	}

}
