package dev.idempotency.gateway;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import dev.idempotency.testing.ForwardingStore;
import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code mode: observe}: everything passes as if the filter were not there, and is
 * counted.
 */
class ObserveModeIT {

	private static final ScriptedBackend backend = ScriptedBackend.start();

	private static final Map<String, Double> before = new HashMap<>();

	private static RunningGateway gateway;

	@BeforeAll
	static void start() {
		gateway = RunningGateway.start("""
				spring.cloud.gateway.server.webflux:
				  httpclient.response-timeout: 5s
				  routes:
				  - id: elsewhere
				    uri: %1$s
				    predicates: [ "Path=/elsewhere" ]
				    filters: [ "Idempotency", "RedirectTo=302, http://elsewhere.example" ]
				  - id: pay
				    uri: %1$s
				    predicates: [ "Path=/**" ]
				    filters: [ "Idempotency" ]
				idempotency.policies.default: { mode: observe, anonymous: share, max-request-size: 100KB }
				""".formatted(backend.uri()), Host.class);
	}

	@AfterAll
	static void stop() {
		gateway.close();
		backend.close();
	}

	@BeforeEach
	void forgetCounts() {
		gateway.bean(Host.Store.class).away = false;
		gateway.bean(Host.Store.class).released.set(0);
		gateway.bean(MeterRegistry.class).getMeters().forEach((meter) -> {
			if (meter instanceof Counter counter) {
				before.put(counter.getId().toString(), counter.count());
			}
		});
	}

	@Test
	void aRepetitionIsForwardedAndCountedAsAReplay() {
		backend.on("/repeat", Reply.json(201, "{\"id\":1}"), Reply.json(201, "{\"id\":2}"));
		assertThat(post("/repeat", "k", "{}").text()).isEqualTo("{\"id\":1}");
		assertCounts("observed_new", 1);
		RawResponse second = post("/repeat", "k", "{}");
		assertThat(second.text()).isEqualTo("{\"id\":2}");
		assertThat(second.headers("Idempotent-Replayed")).isEmpty();
		assertThat(second.headers("Idempotency-Key")).isEmpty();
		// The first one is settled behind its answer; until then a repetition counts as
		// one in progress.
		Awaitility.await().untilAsserted(() -> {
			post("/repeat", "k", "{}");
			assertThat(counted("observed_replay")).isPositive();
		});
		assertCounts("observed_new", 1);
	}

	@Test
	void anotherRequestUnderTheKeyIsForwardedAndCountedAsAReuse() {
		post("/reuse", "k", "{}");
		assertCounts("observed_new", 1);
		assertThat(post("/reuse", "k", "[]").status()).isEqualTo(200);
		assertCounts("observed_reuse", 1);
	}

	@Test
	void aDuplicateInFlightIsForwardedAndCounted() {
		CountDownLatch gate = new CountDownLatch(1);
		backend.on("/flight", Reply.json(200, "{}").after(gate));
		try (RawHttpClient first = gateway.connect(); RawHttpClient second = gateway.connect()) {
			first.send(RawRequest.post("/flight", "{}").key("k"));
			backend.awaitExecutions("/flight", 1);
			assertCounts("observed_new", 1);
			second.send(RawRequest.post("/flight", "{}").key("k"));
			backend.awaitExecutions("/flight", 2);
			assertCounts("observed_in_progress", 1);
			gate.countDown();
			assertThat(first.read().status()).isEqualTo(200);
			assertThat(second.read().status()).isEqualTo(200);
		}
	}

	@Test
	void aMissingKeyAndAMalformedOneAreForwardedAndCounted() {
		assertThat(gateway.send(RawRequest.post("/keyless", "{}")).status()).isEqualTo(200);
		assertCounts("observed_missing", 1);
		assertThat(post("/keyless", "a b", "{}").status()).isEqualTo(200);
		assertCounts("observed_invalid", 1);
	}

	@Test
	void aBodyOverTheLimitPassesAndIsCountedAsWhatWouldBeRefused() {
		String large = "x".repeat(3_000_000);
		assertThat(post("/large", "k", large).status()).isEqualTo(200);
		assertThat(backend.arrivals("/large").get(0).text()).isEqualTo(large);
		assertCounts("observed_invalid", 1);
	}

	@Test
	void aBodyIsNotHeldUp() throws Exception {
		try (RawHttpClient client = gateway.connect()) {
			client.send("POST /slow HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k\r\nContent-Length: 100000\r\n\r\n");
			client.send("x".repeat(50_000));
			Awaitility.await().untilAsserted(() -> assertThat(backend.arrivals("/slow")).hasSize(1));
			assertThat(backend.executions("/slow")).isZero();
			client.send("x".repeat(50_000));
			assertThat(client.read().status()).isEqualTo(200);
		}
		assertCounts("observed_new", 1);
	}

	@Test
	void aStatusThatFreesAKeyIsNotCountedAsAReplayAfterwards() {
		backend.on("/busy", Reply.json(429, "{}"), Reply.json(200, "{}"));
		assertThat(post("/busy", "k", "{}").status()).isEqualTo(429);
		assertCounts("observed_new", 1);
		awaitReleases(1);
		assertThat(post("/busy", "k", "{}").status()).isEqualTo(200);
		assertCounts("observed_new", 2);
	}

	@Test
	void aBackendThatCannotBeReachedLeavesTheKeyFree() {
		backend.refuse();
		try {
			assertThat(post("/refused", "k", "{}").status()).isGreaterThanOrEqualTo(500);
		}
		finally {
			backend.accept();
		}
		assertCounts("observed_new", 1);
		assertThat(post("/refused", "k", "{}").status()).isEqualTo(200);
		assertCounts("observed_new", 2);
	}

	@Test
	void whatAFilterAnswersWithoutTheBodyIsCountedByItsKey() {
		assertThat(post("/elsewhere", "k", "{}").status()).isEqualTo(302);
		assertCounts("observed_new", 1);
		assertThat(post("/elsewhere", "k", "[]").status()).isEqualTo(302);
		assertCounts("observed_new", 2);
	}

	@Test
	void aStoreThatIsAwayCostsTheRequestNothing() {
		gateway.bean(Host.Store.class).away = true;
		long begun = System.nanoTime();
		assertThat(post("/away", "k", "{}").status()).isEqualTo(200);
		assertThat(post("/away", "k", "{}").status()).isEqualTo(200);
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
		assertThat(backend.executions("/away")).isEqualTo(2);
	}

	@Test
	void recordsHoldNoAnswer() {
		backend.on("/secret", Reply.json(201, "{\"secret\":1}"));
		post("/secret", "k", "{}");
		Awaitility.await().untilAsserted(() -> {
			IdempotencyRecord last = gateway.bean(Host.Store.class).settled;
			assertThat(last).isNotNull();
			assertThat(last.response()).isNotNull().matches((response) -> !response.isReplayable());
			assertThat(last.response().headers()).isEmpty();
		});
	}

	private static void awaitReleases(int count) {
		Awaitility.await().untilAsserted(() -> assertThat(gateway.bean(Host.Store.class).released).hasValue(count));
	}

	private static RawResponse post(String path, String key, String body) {
		return gateway.send(RawRequest.post(path, body).key(key));
	}

	private static void assertCounts(String result, int times) {
		Awaitility.await().untilAsserted(() -> assertThat(counted(result)).as(result).isEqualTo(times));
	}

	private static double counted(String result) {
		return gateway.bean(MeterRegistry.class)
			.get("idempotency.requests")
			.tag("result", result)
			.counters()
			.stream()
			.mapToDouble((counter) -> counter.count() - before.getOrDefault(counter.getId().toString(), 0.0))
			.sum();
	}

	@Configuration(proxyBeanMethods = false)
	static class Host {

		@Bean
		MeterRegistry registry() {
			return new SimpleMeterRegistry();
		}

		@Bean
		Store store() {
			return new Store();
		}

		/** A store that can be away, and tells what it was last told. */
		static class Store extends ForwardingStore {

			volatile boolean away;

			final AtomicInteger released = new AtomicInteger();

			volatile IdempotencyRecord settled;

			Store() {
				super(new MemoryIdempotencyStore(1 << 20, System::nanoTime));
			}

			@Override
			public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
				return this.away ? Mono.<Claim>never()
					.timeout(Duration.ofSeconds(5))
					.onErrorMap((ex) -> new StoreUnavailableException("away", ex)) : super.claim(id, claim);
			}

			@Override
			public Mono<Ownership> settle(RecordId id, IdempotencyRecord record) {
				this.settled = record;
				return super.settle(id, record);
			}

			@Override
			public Mono<Ownership> release(RecordId id, OwnerToken owner) {
				return super.release(id, owner).doOnNext((ownership) -> this.released.incrementAndGet());
			}

		}

	}

}
