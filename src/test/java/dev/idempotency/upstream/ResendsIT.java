package dev.idempotency.upstream;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import dev.idempotency.testing.Arrival;
import dev.idempotency.testing.ForwardingStore;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Several attempts of one operation. */
@ExtendWith(NettyLeaks.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResendsIT {

	private static final String QUICK = "retry: { max-attempts: 3, backoff: 1ms, max-backoff: 1ms, budget: 1.0 }";

	private final ScriptedBackend backend = ScriptedBackend.start();

	private final ScriptedBackend dying = ScriptedBackend.start();

	private RunningGateway gateway;

	@BeforeAll
	void start() {
		String off = ", circuit-breaker: { enabled: false }";
		this.gateway = RunningGateway.start(new Routes().route("plain", this.backend.uri(), QUICK + off)
			.route("honours", this.backend.uri(), "timeout: 2s, backend-idempotent: true, " + QUICK + off)
			.route("asks", this.backend.uri(),
					"backend-idempotent: true, deadline: 1s, "
							+ "retry: { max-attempts: 2, backoff: 100ms, max-backoff: 100ms, jitter: 0 }" + off)
			.route("deadline", this.backend.uri(),
					"deadline: 500ms, retry: { max-attempts: 50, backoff: 100ms, max-backoff: 100ms }" + off)
			.route("budget", this.backend.uri(),
					"retry: { max-attempts: 2, backoff: 1ms, max-backoff: 1ms, budget: 0 }" + off)
			.route("retries", this.dying.uri(), "unknown: retry, " + QUICK + off)
			.route("lease", this.backend.uri(),
					"lease: 1s, retry: { max-attempts: 3, backoff: 700ms, max-backoff: 700ms, jitter: 0 }" + off)
			.route("circuit", this.backend.uri(),
					"unknown: retry, retry: { max-attempts: 1 }, "
							+ "circuit-breaker: { window: 4, minimum-calls: 4, open: 300ms, half-open-calls: 2 }")
			.route("crowd", this.backend.uri(), "max-in-flight: 2")
			.yaml(), Store.class);
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.backend.close();
		this.dying.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 1_000_000 })
	void haveTheSameKeyAndTheSameBytes(int size) {
		byte[] body = new byte[size];
		Arrays.fill(body, (byte) 'x');
		String path = "/plain/bytes" + size;
		this.backend.on(path, Reply.of(503), Reply.of(503), Reply.of(201));
		RawRequest request = RawRequest.of("POST", path).header("Content-Type", "application/x-thing");
		assertThat(this.gateway.send(request.key("\"a;b\"").body(body)).status()).isEqualTo(201);
		assertThat(this.backend.arrivals(path)).hasSize(3).allSatisfy((arrival) -> {
			assertThat(arrival.body()).isEqualTo(body);
			assertThat(arrival.headers("Idempotency-Key")).containsExactly("\"a;b\"");
			assertThat(arrival.header("Content-Type")).isEqualTo("application/x-thing");
		});
	}

	@Test
	void haveTheSameBytesAlsoWhereTheyCameInChunks() {
		this.backend.on("/plain/chunked", Reply.of(503), Reply.of(201));
		RawRequest request = RawRequest.of("POST", "/plain/chunked")
			.key("k")
			.header("Transfer-Encoding", "chunked")
			.body("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
		assertThat(this.gateway.send(request).status()).isEqualTo(201);
		assertThat(this.backend.arrivals("/plain/chunked")).extracting(Arrival::text).containsExactly("abcde", "abcde");
	}

	@Test
	void showNothingOfTheAttemptsThatFailed() {
		this.backend.on("/plain/clean",
				Reply.json(503, "{\"failed\":1}").header("X-Fail", "1").header("Set-Cookie", "f=1"), Reply.of(201));
		RawResponse answer = send("/plain/clean");
		assertThat(answer.status()).isEqualTo(201);
		assertThat(answer.header("X-Fail")).isNull();
		assertThat(answer.header("Set-Cookie")).isNull();
		assertThat(answer.header("Content-Type")).isNull();
		assertThat(answer.body()).isEmpty();
	}

	@Test
	void areNoMoreThanTheyMayBe() {
		this.backend.on("/plain/most", Reply.of(503));
		assertThat(send("/plain/most").status()).isEqualTo(503);
		assertThat(this.backend.executions("/plain/most")).isEqualTo(3);
	}

	@Test
	void endAtTheDeadline() {
		this.backend.on("/deadline/a", Reply.of(503));
		assertThat(send("/deadline/a").status()).isEqualTo(503);
		assertThat(state("deadline").attempts()).containsOnlyKeys("not_applied_status");
		List<Arrival> arrivals = this.backend.arrivals("/deadline/a");
		assertThat(arrivals).hasSizeBetween(2, 9);
		assertThat(arrivals.get(arrivals.size() - 1).nanos() - arrivals.get(0).nanos())
			.isLessThan(Duration.ofMillis(500).toNanos());
	}

	@Test
	void neverComeBeforeRetryAfter() {
		this.backend.on("/plain/later", Reply.of(503).header("Retry-After", "1"), Reply.of(201));
		assertThat(send("/plain/later").status()).isEqualTo(201);
		List<Arrival> arrivals = this.backend.arrivals("/plain/later");
		assertThat(arrivals.get(1).nanos() - arrivals.get(0).nanos()).isGreaterThan(Duration.ofMillis(990).toNanos());
	}

	@Test
	void stayWithinTheBudgetOfTheRoute() {
		this.backend.on("/budget/a", Reply.of(503));
		for (int i = 0; i < 30; i++) {
			this.gateway.send(RawRequest.post("/budget/a", "{}").key("k" + i));
		}
		assertThat(this.backend.executions("/budget/a")).isBetween(40, 50);
	}

	@Test
	void followADoubtWhereTheBackendHonoursKeys() {
		this.backend.on("/honours/a", Reply.reset(), Reply.json(201, "{\"a\":1}").cutAfter(3),
				Reply.json(201, "{\"a\":1}"));
		RawResponse answer = send("/honours/a");
		assertThat(answer.status()).isEqualTo(201);
		assertThat(send("/honours/a").header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(this.backend.executions("/honours/a")).isEqualTo(3);
	}

	@Test
	void aRefusalAfterADoubtLeavesTheDoubt() {
		this.backend.on("/honours/b", Reply.reset(), Reply.of(503), Reply.of(503), Reply.json(201, "{}"));
		assertThat(send("/honours/b").text()).contains("upstream-failed", "\"outcome\":\"unknown\"");
		assertThat(send("/honours/b").status()).isEqualTo(201);
	}

	@Test
	void aBackendThatStillRunsIsAskedUntilTheDeadlineAndNeverBelievedToBeDone() {
		this.backend.on("/asks/a", Reply.reset(), Reply.json(409, "{\"busy\":1}"));
		assertThat(send("/asks/a").text()).contains("upstream-timeout");
		assertThat(this.backend.executions("/asks/a")).isBetween(4, 11);
		this.backend.on("/asks/a", Reply.json(201, "{\"id\":1}"));
		assertThat(send("/asks/a").text()).isEqualTo("{\"id\":1}");
	}

	@Test
	void aBackendThatStillRunsIsAskedBeyondTheMostAttempts() {
		Reply busy = Reply.of(425);
		this.backend.on("/asks/b", Reply.reset(), busy, busy, busy, Reply.json(201, "{\"id\":2}"));
		assertThat(send("/asks/b").text()).isEqualTo("{\"id\":2}");
		assertThat(this.backend.executions("/asks/b")).isEqualTo(5);
	}

	@Test
	void aTakenOverKeyIsNotFreedByARefusal() {
		this.dying.on("/retries/a", Reply.reset());
		assertThat(send("/retries/a").text()).contains("upstream-failed", "\"retryable\":true");
		this.dying.refuse();
		assertThat(send("/retries/a").text()).contains("upstream-failed", "\"outcome\":\"unknown\"");
		this.dying.accept();
		this.dying.on("/retries/a", Reply.json(201, "{}"));
		assertThat(send("/retries/a").status()).isEqualTo(201);
		assertThat(send("/retries/a").header("Idempotent-Replayed")).isEqualTo("true");
	}

	@Test
	void nothingIsSentOnceTheLeaseIsOlderThanHalfAndCannotBeRenewed() {
		this.backend.on("/lease/a", Reply.of(503), Reply.of(201));
		Store.renewals = false;
		try {
			assertThat(send("/lease/a").status()).isEqualTo(503);
			assertThat(this.backend.executions("/lease/a")).isEqualTo(1);
		}
		finally {
			Store.renewals = true;
		}
	}

	@Test
	void anOpenCircuitHoldsBackAndClosesAgainEvenIfClientsLeave() {
		this.backend.on("/circuit/doubt", Reply.reset());
		for (int i = 0; i < 4; i++) {
			this.gateway.send(RawRequest.post("/circuit/doubt", "{}").key("k" + i));
		}
		RawResponse refused = send("/circuit/x");
		assertThat(refused.text()).contains("upstream-unavailable", "\"outcome\":\"not-applied\"");
		assertThat(refused.header("Retry-After")).isEqualTo("1");
		RawResponse inDoubt = this.gateway.send(RawRequest.post("/circuit/doubt", "{}").key("k1"));
		assertThat(inDoubt.text()).contains("upstream-unavailable", "\"outcome\":\"unknown\"");
		assertThat(this.backend.executions("/circuit/x")).isZero();
		CountDownLatch gate = new CountDownLatch(1);
		this.backend.on("/circuit/gone", Reply.of(201).after(gate));
		await().until(() -> leaveOnceArrived("/circuit/gone"));
		gate.countDown();
		await().until(() -> send("/circuit/x").status() == 200);
		await().until(() -> state("circuit").upstream().circuitState().equals("CLOSED"));
		state("circuit").awaitRest();
	}

	@Test
	void noMoreOperationsRunThanMayRunAtOnce() {
		CountDownLatch gate = new CountDownLatch(1);
		this.backend.on("/crowd/slow", Reply.of(201).after(gate));
		List<CompletableFuture<RawResponse>> running = List.of(later("/crowd/slow", "1"), later("/crowd/slow", "2"));
		this.backend.awaitExecutions("/crowd/slow", 2);
		RawResponse refused = send("/crowd/x");
		assertThat(refused.text()).contains("too-busy", "\"outcome\":\"not-applied\"");
		assertThat(refused.header("Retry-After")).isNotNull();
		gate.countDown();
		assertThat(running).allSatisfy((answer) -> assertThat(answer.join().status()).isEqualTo(201));
		assertThat(send("/crowd/x").status()).isEqualTo(200);
		state("crowd").awaitRest();
	}

	private boolean leaveOnceArrived(String path) {
		try (dev.idempotency.testing.RawHttpClient client = this.gateway.connect()) {
			client.send(RawRequest.post(path, "{}").key("gone" + System.nanoTime()));
			await().pollInterval(Duration.ofMillis(5))
				.until(() -> this.backend.executions(path) > 0 || client.available());
			client.reset();
		}
		return this.backend.executions(path) > 0;
	}

	private CompletableFuture<RawResponse> later(String path, String key) {
		return CompletableFuture.supplyAsync(() -> this.gateway.send(RawRequest.post(path, "{}").key(key)),
				(task) -> new Thread(task).start());
	}

	private RouteState state(String route) {
		return new RouteState(this.gateway, route);
	}

	private RawResponse send(String path) {
		return this.gateway.send(RawRequest.post(path, "{\"amount\":1}").key(path.replace('/', '-')));
	}

	/** A store whose renewals can fail. */
	@Configuration(proxyBeanMethods = false)
	static class Store {

		static volatile boolean renewals = true;

		@Bean
		IdempotencyStore store() {
			return new ForwardingStore(new MemoryIdempotencyStore(1 << 27, System::nanoTime)) {

				@Override
				public Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
					return renewals ? super.renew(id, claim)
							: Mono.error(new StoreUnavailableException("the test says so", null));
				}

			};
		}

	}

}
