package dev.idempotency.app;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.idempotency.testing.GatewayProcess;
import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of operations whose gateway dies, is asked to go, or loses its client. */
class KillIT {

	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final ScriptedBackend backend = ScriptedBackend.start();

	private static final ScriptedBackend shut = ScriptedBackend.start();

	private static RedisServer redis;

	private static GatewayProcess survivor;

	private static GatewayProcess killed;

	private static GatewayProcess asked;

	@BeforeAll
	static void start() {
		redis = RedisServer.start();
		String routes = """
				spring.data.redis.port: %s
				spring.cloud.gateway.server.webflux.routes:
				  - id: shut
				    uri: %s
				    predicates: [ "Path=/shut/**" ]
				    filters:
				      - name: Idempotency
				        args: { retry.backoff: 20s, retry.max-backoff: 20s, retry.jitter: 0, deadline: 60s }
				  - id: pay
				    uri: %s
				    predicates: [ "Path=/**" ]
				    filters: [ "Idempotency" ]
				idempotency:
				  store: redis
				  redis.timeout: 2s
				  policies.default: { anonymous: share, lease: %s, timeout: 25s }
				""".formatted(redis.port(), shut.uri(), backend.uri(), LEASE.toSeconds() + "s");
		survivor = GatewayProcess.start(routes);
		killed = GatewayProcess.start(routes);
		asked = GatewayProcess.start(routes);
		survivor.awaitReady();
		killed.awaitReady();
		asked.awaitReady();
	}

	@AfterAll
	static void stop() {
		survivor.close();
		killed.close();
		asked.close();
		redis.close();
		shut.close();
		backend.close();
	}

	@Test
	void anOwnerThatIsKilledLeavesAnUnknownOutcomeAndNoSecondExecution() {
		backend.on("/killed", Reply.hang());
		try (RawHttpClient client = killed.connect()) {
			client.send(request("/killed"));
			backend.awaitExecutions("/killed", 1);
			killed.kill();
			assertThat(client.ended()).isTrue();
		}
		RawResponse meanwhile = survivor.send(request("/killed"));
		assertThat(meanwhile.status()).isEqualTo(409);
		assertThat(meanwhile.text()).contains("\"code\":\"in-progress\"");
		Awaitility.await()
			.atMost(LEASE.multipliedBy(5))
			.until(() -> survivor.send(request("/killed")).text().contains("\"code\":\"outcome-unknown\""));
		RawResponse afterwards = survivor.send(request("/killed"));
		assertThat(afterwards.status()).isEqualTo(409);
		assertThat(afterwards.headers("Retry-After")).isEmpty();
		assertThat(survivor.send(RawRequest.post("/killed", "[]").key("k")).status()).isEqualTo(422);
		assertThat(backend.executions("/killed")).isOne();
	}

	@Test
	void anOwnerThatIsAskedToGoEndsWhatRunsRefusesWhatIsNewAndFreesWhatWasNotSent() {
		CountDownLatch gate = new CountDownLatch(1);
		backend.on("/drained", Reply.json(201, "{\"id\":1}").after(gate));
		shut.refuse();
		try (RawHttpClient running = asked.connect();
				RawHttpClient pausing = asked.connect();
				RawHttpClient open = asked.connect()) {
			assertThat(open.send(request("/warm")).read().status()).isEqualTo(200);
			running.send(request("/drained"));
			backend.awaitExecutions("/drained", 1);
			pausing.send(request("/shut/1"));
			Awaitility.await().until(() -> survivor.send(request("/shut/1")).text().contains("in-progress"));
			asked.terminate();
			RawResponse unsent = pausing.read();
			assertThat(unsent.status()).as(unsent.toString()).isEqualTo(503);
			RawResponse refused = open.send(request("/new")).read();
			assertThat(refused.status()).isEqualTo(503);
			assertThat(refused.text()).contains("\"code\":\"shutting-down\"", "\"retryable\":true");
			assertThat(refused.header("Retry-After")).isNotNull();
			shut.accept();
			assertThat(survivor.send(request("/shut/1")).headers("Idempotent-Replayed")).isEmpty();
			assertThat(shut.executions("/shut/1")).isOne();
			assertThat(survivor.send(request("/drained")).text()).contains("\"code\":\"in-progress\"");
			gate.countDown();
			assertThat(running.read().text()).isEqualTo("{\"id\":1}");
		}
		assertThat(asked.awaitExit()).isIn(0, 143);
		RawResponse replay = survivor.send(request("/drained"));
		assertThat(replay.text()).isEqualTo("{\"id\":1}");
		assertThat(replay.headers("Idempotent-Replayed")).containsExactly("true");
		assertThat(backend.executions("/drained")).isOne();
		assertThat(backend.arrivals("/new")).isEmpty();
	}

	@Test
	void aClientThatHangsUpFindsTheAnswerLater() {
		CountDownLatch gate = new CountDownLatch(1);
		backend.on("/hung-up", Reply.json(201, "{\"id\":2}").after(gate));
		RawHttpClient client = survivor.connect();
		client.send(request("/hung-up"));
		backend.awaitExecutions("/hung-up", 1);
		client.reset();
		assertThat(survivor.send(request("/hung-up")).text()).contains("\"code\":\"in-progress\"");
		gate.countDown();
		Awaitility.await()
			.until(() -> survivor.send(request("/hung-up")).headers("Idempotent-Replayed").contains("true"));
		assertThat(survivor.send(request("/hung-up")).text()).isEqualTo("{\"id\":2}");
		assertThat(backend.executions("/hung-up")).isOne();
	}

	private static RawRequest request(String path) {
		return RawRequest.post(path, "{}").key("k");
	}

}
