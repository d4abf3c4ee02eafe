package dev.idempotency.app;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.idempotency.testing.GatewayProcess;
import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.ScriptedBackend;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An owner whose process stands still beyond its lease, and wakes up after another
 * gateway has taken over.
 */
@Slow
class FrozenOwnerIT {

	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final Duration SOON = LEASE.multipliedBy(8);

	private static final ScriptedBackend backend = ScriptedBackend.start();

	private static final ScriptedBackend shut = ScriptedBackend.start();

	private static RedisServer redis;

	private static GatewayProcess frozen;

	private static GatewayProcess awake;

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
				        args: { retry.backoff: 3s, retry.max-backoff: 3s, retry.jitter: 0, deadline: 60s }
				  - id: pay
				    uri: %s
				    predicates: [ "Path=/**" ]
				    filters: [ "Idempotency" ]
				idempotency:
				  store: redis
				  redis.timeout: 2s
				  policies.default: { anonymous: share, lease: %ss, timeout: 50s, unknown: retry }
				""".formatted(redis.port(), shut.uri(), backend.uri(), LEASE.toSeconds());
		frozen = GatewayProcess.start(routes);
		awake = GatewayProcess.start(routes);
		frozen.awaitReady();
		awake.awaitReady();
	}

	@AfterAll
	static void stop() {
		frozen.close();
		awake.close();
		redis.close();
		shut.close();
		backend.close();
	}

	@AfterEach
	void thaw() {
		frozen.thaw();
		shut.accept();
	}

	@Test
	void anOwnerThatWakesUpAfterATakeOverDoesNotOverwriteItsOutcome() {
		CountDownLatch gate = new CountDownLatch(1);
		backend.on("/taken", Reply.json(201, "{\"by\":\"the first\"}").after(gate),
				Reply.json(201, "{\"by\":\"the second\"}"));
		try (RawHttpClient client = frozen.connect()) {
			client.send(request("/taken"));
			backend.awaitExecutions("/taken", 1);
			frozen.freeze();
			Awaitility.await().atMost(SOON).until(() -> awake.send(request("/taken")).status() == 201);
			gate.countDown();
			frozen.thaw();
			assertThat(client.read().text()).isEqualTo("{\"by\":\"the first\"}");
		}
		assertThat(frozen.log()).contains("has another owner by now");
		for (GatewayProcess each : new GatewayProcess[] { frozen, awake }) {
			RawResponse replay = each.send(request("/taken"));
			assertThat(replay.text()).isEqualTo("{\"by\":\"the second\"}");
			assertThat(replay.headers("Idempotent-Replayed")).containsExactly("true");
		}
		assertThat(backend.executions("/taken")).isEqualTo(2);
	}

	@Test
	void anOwnerThatWakesUpAfterATakeOverDoesNotSend() {
		shut.on("/shut/1", Reply.json(201, "{\"id\":1}"));
		shut.refuse();
		try (RawHttpClient client = frozen.connect()) {
			client.send(request("/shut/1"));
			Awaitility.await().atMost(SOON).until(() -> awake.send(request("/shut/1")).text().contains("in-progress"));
			frozen.freeze();
			shut.accept();
			Awaitility.await().atMost(SOON).until(() -> awake.send(request("/shut/1")).status() == 201);
			frozen.thaw();
			RawResponse late = client.read();
			assertThat(late.status()).as(late.toString()).isNotEqualTo(201);
		}
		assertThat(shut.executions("/shut/1")).isOne();
		RawResponse replay = frozen.send(request("/shut/1"));
		assertThat(replay.text()).isEqualTo("{\"id\":1}");
		assertThat(replay.headers("Idempotent-Replayed")).containsExactly("true");
	}

	private static RawRequest request(String path) {
		return RawRequest.post(path, "{}").key("k");
	}

}
