package dev.idempotency.jobs;

import java.io.IOException;
import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.testing.FaultProxy;
import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Jobs while the server of their records is away for a time. */
@Slow
class JobOutagesIT {

	private static final Duration SOON = Duration.ofSeconds(30);

	private static RedisServer redis;

	private static PostgresServer postgres;

	private static FaultProxy toPostgres;

	private final JobRig rig = new JobRig().route("plain", "circuit-breaker: { enabled: false }");

	@BeforeAll
	static void startServers() {
		redis = RedisServer.start();
		postgres = PostgresServer.start();
		toPostgres = new FaultProxy(postgres.port());
	}

	@AfterAll
	static void stopServers() throws IOException {
		toPostgres.close();
		postgres.close();
		redis.close();
	}

	@AfterEach
	void stop() {
		this.rig.close();
	}

	@Test
	void withoutTheFastTierJobsAreTakenOnAndCarriedOut() {
		start("tiered");
		redis.kill();
		try {
			this.rig.backend.on("/plain/alone", Reply.json(201, "{\"id\":1}"));
			String location = this.rig.submit("/plain/alone", "alone");
			this.rig.awaitStatus(location, "SUCCEEDED");
			assertThat(this.rig.look(location + "/result").text()).isEqualTo("{\"id\":1}");
			assertThat(this.rig.submit("/plain/alone", "alone")).isEqualTo(location);
		}
		finally {
			redis.restart();
		}
		assertThat(this.rig.backend.executions("/plain/alone")).isOne();
	}

	@Test
	void aJobWhoseSubmissionIsInDoubtRunsOnceWhenItIsSubmittedAgain() {
		onceAfterDoubt("postgres");
	}

	@Test
	void theSameBehindTheFastTier() {
		onceAfterDoubt("tiered");
	}

	private void onceAfterDoubt(String store) {
		start(store);
		String path = "/plain/doubt-" + store;
		toPostgres.loseReplies();
		RawResponse refused;
		try {
			refused = this.rig.gateway().send(JobRig.job(path, store));
		}
		finally {
			toPostgres.heal();
		}
		assertThat(refused.status()).as(refused.toString()).isEqualTo(503);
		assertThat(refused.text()).contains("\"code\":\"store-unavailable\"");
		await().atMost(SOON).until(() -> this.rig.gateway().send(JobRig.job(path, store)).status() == 202);
		String location = this.rig.submit(path, store);
		this.rig.awaitStatus(location, "SUCCEEDED");
		assertThat(this.rig.backend.executions(path)).isOne();
	}

	private void start(String store) {
		this.rig.start("spring.data.redis.port: " + redis.port(),
				"spring.r2dbc.url: 'r2dbc:postgresql://127.0.0.1:" + toPostgres.port() + "/postgres'",
				"spring.r2dbc.username: postgres", "idempotency.store: " + store, "idempotency.redis.timeout: 1s",
				"idempotency.postgres.timeout: 1s");
		await().atMost(SOON).until(() -> this.rig.gateway().bean(IdempotencyStore.class).status().serving());
	}

}
