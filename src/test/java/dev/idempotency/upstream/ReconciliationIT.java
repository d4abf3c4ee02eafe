package dev.idempotency.upstream;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import dev.idempotency.testing.Arrival;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Two gateways on one store ask the backend what became of a key. */
@ExtendWith(NettyLeaks.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReconciliationIT {

	private final ScriptedBackend backend = ScriptedBackend.start();

	private final RawBackend endless = RawBackend.doing((socket) -> {
		RawBackend.readRequest(socket.getInputStream());
		socket.getOutputStream()
			.write("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		while (true) {
			socket.getOutputStream().write(new byte[1 << 16]);
			this.written += 1 << 16;
		}
	});

	private volatile long written;

	private RunningGateway first;

	private RunningGateway second;

	@BeforeAll
	void start() {
		String ask = "unknown: reconcile, retry: { max-attempts: 1 }, circuit-breaker: { enabled: false }, reconcile: { uri: \"%s/%s?key={key}\", "
				+ "applied: \"200\", not-applied: \"404\", timeout: 2s, settle-after: %s %s }";
		String uri = this.backend.uri();
		Routes routes = new Routes().route("now", uri, ask.formatted(uri, "ask-now", "0s", ""))
			.route("settling", uri, ask.formatted(uri, "ask-settling", "60s", ""))
			.route("own", uri, ask.formatted(uri, "ask-own", "0s", ", headers: { Authorization: Basic c2VydmljZQ== }"))
			.route("quick", uri, ask.formatted(uri, "ask-quick", "0s", "").replace("timeout: 2s", "timeout: 200ms"))
			.route("endless", uri, ask.formatted("http://127.0.0.1:" + this.endless.port(), "x", "0s", ""));
		this.first = RunningGateway.start(routes.yaml(), SharedStore.class);
		this.second = RunningGateway.start(routes.yaml(), SharedStore.class);
	}

	@AfterAll
	void stop() {
		this.first.close();
		this.second.close();
		this.backend.close();
		this.endless.close();
	}

	@Test
	void whatWasAppliedIsRecordedAndReplayed() {
		leaveInDoubt("/now/applied");
		this.backend.on("/ask-now", Reply.json(200, "{\"id\":9}").header("X-Found", "1"));
		RawResponse answer = send(this.second, "/now/applied");
		assertThat(answer.text()).isEqualTo("{\"id\":9}");
		assertThat(answer.header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(answer.header("X-Found")).isEqualTo("1");
		int asked = this.backend.arrivals("/ask-now").size();
		assertThat(send(this.first, "/now/applied").text()).isEqualTo("{\"id\":9}");
		assertThat(this.backend.arrivals("/ask-now")).hasSize(asked);
		assertThat(this.backend.executions("/now/applied")).isEqualTo(1);
	}

	@Test
	void whatWasNotAppliedIsDoneByTheRetry() {
		leaveInDoubt("/now/missing");
		this.backend.on("/ask-now", Reply.of(404));
		this.backend.on("/now/missing", Reply.json(201, "{\"id\":1}"));
		RawResponse answer = send(this.second, "/now/missing");
		assertThat(answer.status()).isEqualTo(201);
		assertThat(answer.header("Idempotent-Replayed")).isNull();
		assertThat(send(this.first, "/now/missing").header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(this.backend.executions("/now/missing")).isEqualTo(2);
	}

	@Test
	void notAppliedIsNotBelievedBeforeTheFirstRequestHadTimeToSettle() {
		leaveInDoubt("/settling/a");
		this.backend.on("/ask-settling", Reply.of(404));
		assertThat(send(this.first, "/settling/a").text()).contains("outcome-unknown", "\"retryable\":true");
		assertThat(this.backend.executions("/settling/a")).isEqualTo(1);
	}

	@Test
	void anyOtherAnswerLeavesTheDoubt() {
		leaveInDoubt("/now/other");
		for (Reply reply : List.of(Reply.of(500), Reply.of(302).header("Location", "/elsewhere"), Reply.reset(),
				Reply.json(200, "{\"id\":9}").cutAfter(3))) {
			this.backend.on("/ask-now", reply);
			assertThat(send(this.first, "/now/other").text()).contains("outcome-unknown");
		}
		assertThat(this.backend.executions("/now/other")).isEqualTo(1);
	}

	@Test
	void aQuestionHasATimeoutOfItsOwn() {
		leaveInDoubt("/quick/a");
		this.backend.on("/ask-quick", Reply.hang());
		long begun = System.nanoTime();
		assertThat(send(this.first, "/quick/a").text()).contains("outcome-unknown");
		assertThat(System.nanoTime() - begun).isLessThan(java.time.Duration.ofSeconds(5).toNanos());
	}

	@Test
	void theQuestionCarriesTheClientsCredentialsOrTheRoutesOwn() {
		this.backend.on("/ask-now", Reply.of(500));
		this.backend.on("/ask-own", Reply.of(500));
		leaveInDoubt("/now/auth");
		leaveInDoubt("/own/auth");
		send(this.first, "/now/auth");
		send(this.first, "/own/auth");
		assertThat(last("/ask-now").headers("Authorization")).containsExactly("Bearer alice");
		assertThat(last("/ask-own").headers("Authorization")).containsExactly("Basic c2VydmljZQ==");
	}

	@Test
	void theKeyIsPercentEncodedAndInNoLog() {
		String key = "\"a b/c?d=e&f%25#{g}+h~\"";
		List<String> log = listen();
		this.backend.on("/now/odd", Reply.reset());
		this.backend.on("/ask-now", Reply.json(200, "{}"));
		RawRequest request = RawRequest.post("/now/odd", "{}").key(key).header("Authorization", "Bearer alice");
		this.first.send(request);
		assertThat(this.first.send(request).text()).isEqualTo("{}");
		String query = last("/ask-now").target().split("\\?", 2)[1];
		assertThat(query).doesNotContain(" ", "#", "&", "+").startsWith("key=");
		assertThat(java.net.URLDecoder.decode(query.substring(4), StandardCharsets.UTF_8))
			.isEqualTo("a b/c?d=e&f%25#{g}+h~");
		assertThat(log).noneMatch((line) -> line.contains("a b/c?d") || line.contains(query.substring(4)));
	}

	@Test
	void anEndlessAnswerIsNotReadToItsEnd() {
		leaveInDoubt("/endless/a");
		assertThat(send(this.first, "/endless/a").text()).contains("replay-unavailable", "\"applied\"");
		assertThat(this.written).isLessThan(64 << 20);
	}

	@Test
	void oneAsksAtATimeAcrossAllGateways() {
		leaveInDoubt("/now/crowd");
		CountDownLatch gate = new CountDownLatch(1);
		this.backend.on("/ask-now", Reply.json(200, "{\"id\":3}").after(gate));
		int before = this.backend.arrivals("/ask-now").size();
		CompletableFuture<RawResponse> asking = CompletableFuture.supplyAsync(() -> send(this.first, "/now/crowd"));
		await().until(() -> this.backend.arrivals("/ask-now").size() == before + 1);
		assertThat(send(this.second, "/now/crowd").text()).contains("outcome-unknown");
		assertThat(send(this.first, "/now/crowd").text()).contains("outcome-unknown");
		gate.countDown();
		assertThat(asking.join().text()).isEqualTo("{\"id\":3}");
		assertThat(this.backend.arrivals("/ask-now")).hasSize(before + 1);
		assertThat(send(this.second, "/now/crowd").text()).isEqualTo("{\"id\":3}");
	}

	private void leaveInDoubt(String path) {
		this.backend.on(path, Reply.reset());
		assertThat(send(this.first, path).text()).contains("upstream-failed");
	}

	private static RawResponse send(RunningGateway gateway, String path) {
		return gateway.send(RawRequest.post(path, "{\"amount\":1}")
			.key(path.replace('/', '-'))
			.header("Host", "one.example")
			.header("Authorization", "Bearer alice"));
	}

	private Arrival last(String path) {
		List<Arrival> arrivals = this.backend.arrivals(path);
		return arrivals.get(arrivals.size() - 1);
	}

	private static List<String> listen() {
		List<String> lines = new CopyOnWriteArrayList<>();
		AppenderBase<ILoggingEvent> listener = new AppenderBase<>() {

			@Override
			protected void append(ILoggingEvent event) {
				lines.add(event.getFormattedMessage());
			}

		};
		listener.start();
		((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).addAppender(listener);
		return lines;
	}

	@Configuration(proxyBeanMethods = false)
	static class SharedStore {

		private static final IdempotencyStore STORE = new MemoryIdempotencyStore(1 << 27, System::nanoTime);

		@Bean
		IdempotencyStore store() {
			return STORE;
		}

	}

}
