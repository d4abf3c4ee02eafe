package dev.idempotency.app;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.idempotency.testing.GatewayProcess;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.ScriptedBackend;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A job that kills whichever gateway works on it is given up some day. */
@Slow
class PoisonJobIT {

	private static final int ATTEMPTS = 2;

	@Test
	void attemptsCountAcrossCrashesAndEndInADeadLetter() {
		AtomicReference<GatewayProcess> gateway = new AtomicReference<>();
		try (ScriptedBackend backend = ScriptedBackend.start(); RedisServer redis = RedisServer.start()) {
			backend.on("/r/poison", (arrival) -> {
				gateway.get().kill();
				return Reply.hang();
			});
			String routes = """
					spring.data.redis.port: %s
					spring.cloud.gateway.server.webflux.routes:
					  - { id: r, uri: "%s", predicates: [ "Path=/r/**" ], filters: [ "Idempotency" ] }
					idempotency:
					  store: redis
					  redis.timeout: 2s
					  policies.default:
					    { anonymous: share, async: always, lease: 2s, backend-idempotent: true, retry.max-attempts: %s }
					""".formatted(redis.port(), backend.uri(), ATTEMPTS);
			gateway.set(GatewayProcess.start(routes).awaitReady());
			String location = String
				.valueOf(gateway.get().send(RawRequest.post("/r/poison", "{}").key("k")).header("Location"));
			for (int crash = 1; crash <= ATTEMPTS; crash++) {
				gateway.get().awaitExit();
				gateway.set(GatewayProcess.start(routes));
				if (crash < ATTEMPTS) {
					gateway.get().awaitReady();
				}
			}
			GatewayProcess last = gateway.get().awaitReady();
			await().atMost(Duration.ofSeconds(30))
				.until(() -> json(last.send(RawRequest.of("GET", location))).path("status")
					.stringValue()
					.equals("DEAD"));
			await().until(() -> letters(last).path("total").intValue() == 1);
			JsonNode letter = letters(last).path("letters").get(0);
			assertThat(letter.path("reason").stringValue()).isEqualTo("attempts-used-up");
			assertThat(letter.path("attempts").intValue()).isEqualTo(ATTEMPTS);
			assertThat(letter.path("lastOutcome").stringValue()).isEqualTo("crashed");
			assertThat(backend.arrivals("/r/poison")).hasSize(ATTEMPTS);
		}
		finally {
			gateway.get().close();
		}
	}

	private static JsonNode letters(GatewayProcess gateway) {
		return json(gateway.manage(RawRequest.of("GET", "/actuator/idempotencydeadletters")));
	}

	private static JsonNode json(RawResponse answer) {
		return JsonMapper.shared().readTree(answer.body());
	}

}
