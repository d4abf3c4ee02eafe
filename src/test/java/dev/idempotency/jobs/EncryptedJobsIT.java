package dev.idempotency.jobs;

import java.util.Base64;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.JobServices;
import dev.idempotency.core.Jobs;
import dev.idempotency.core.RecordUnreadableException;
import dev.idempotency.store.PackingDeadLetters;
import dev.idempotency.store.RecordCipher;
import dev.idempotency.store.RecordPacking;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Where encryption is on, the request of a job is in the clear nowhere at rest. */
class EncryptedJobsIT {

	private static final RedisServer redis = RedisServer.start();

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Test
	void neitherTheRecordNorTheDeadLetterShowsTheRequestAndItIsSentAsItCame() {
		try (ScriptedBackend backend = ScriptedBackend.start(); RunningGateway gateway = RunningGateway.start("""
				spring.data.redis.port: %s
				spring.cloud.gateway.server.webflux.routes:
				  - { id: r, uri: "%s", predicates: [ "Path=/r/**" ], filters: [ "Idempotency" ] }
				idempotency:
				  store: redis
				  redis.timeout: 2s
				  encryption: { active: one, keys: { one: "%s" } }
				  policies.default: { anonymous: share, async: always }
				""".formatted(redis.port(), backend.uri(), Base64.getEncoder().encodeToString(new byte[32])))) {
			backend.on("/r/x", Reply.reset());
			String location = gateway.send(RawRequest.post("/r/x", "{\"pan\":\"5500005555555559\"}").key("the-raw-key"))
				.header("Location");
			assertThat(location).isNotNull();
			String id = location.substring("/idempotency/jobs/".length());
			DeadLetters opened = gateway.bean(JobServices.class).letters();
			await().until(() -> opened.find(id).block() != null);
			DeadLetter sealed = gateway.bean(DeadLetters.class).find(id).block();
			assertThat(sealed.job().request().method()).isEqualTo(":sealed");
			assertThat(new String(opened.find(id).block().job().request().body())).contains("5500005555555559");
			assertThat(backend.arrivals("/r/x").get(0).text()).contains("5500005555555559");
			String record = redis.command("GET", "idempotency:{" + sealed.job().id().recordId().digest() + "}");
			String letter = redis.command("GET", "idempotency:{dead-letters}:letter:" + id);
			assertThat(record).isNotEmpty().doesNotContain("5500005555555559", "the-raw-key");
			assertThat(letter).isNotEmpty().doesNotContain("5500005555555559", "the-raw-key");
			DeadLetter elsewhere = new PackingDeadLetters(gateway.bean(DeadLetters.class),
					new RecordPacking(false, RecordCipher.none()))
				.find(id)
				.block();
			assertThat(elsewhere.isReadable()).isFalse();
			assertThatThrownBy(() -> gateway.bean(Jobs.class).redrive(elsewhere).block())
				.isInstanceOf(RecordUnreadableException.class);
			assertThat(gateway.bean(Jobs.class).redrive(opened.find(id).block()).block().done()).isTrue();
			await().until(() -> backend.executions("/r/x") == 2);
			assertThat(backend.arrivals("/r/x").get(1).text()).contains("5500005555555559");
		}
	}

}
