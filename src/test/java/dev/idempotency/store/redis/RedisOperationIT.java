package dev.idempotency.store.redis;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.idempotency.core.Claim;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.RecordSamples;
import dev.idempotency.testing.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/** What an operator is told. */
@ExtendWith(OutputCaptureExtension.class)
class RedisOperationIT {

	private final RecordId id = RecordSamples.id("operation");

	@Test
	void an_eviction_policy_that_drops_records_is_reported(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start("--maxmemory-policy", "allkeys-lru");
				RedisIdempotencyStore store = RedisConnectionSamples.connected(redis.port())) {
			assertThat(output).contains("maxmemory-policy allkeys-lru: under memory pressure", "to noeviction.");
			assertThat(store.server().evicts()).isTrue();
			assertThat(store.server().evictionPolicy()).isEqualTo("allkeys-lru");
		}
	}

	@Test
	void a_policy_that_keeps_everything_is_no_news(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start();
				RedisIdempotencyStore store = RedisConnectionSamples.connected(redis.port())) {
			assertThat(store.server().evicts()).isFalse();
			assertThat(output).contains("Idempotency records are kept in Redis " + store.server().version())
				.doesNotContain("WARN");
		}
	}

	@Test
	void a_policy_that_changes_is_reported_at_the_next_connect(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start();
				RedisIdempotencyStore store = RedisConnectionSamples.connected(redis.port())) {
			redis.command("CONFIG", "SET", "maxmemory-policy", "volatile-ttl");
			redis.command("CLIENT", "KILL", "TYPE", "normal");
			Awaitility.await().until(() -> store.server().evicts());
			assertThat(output).contains("maxmemory-policy volatile-ttl");
		}
	}

	@Test
	void a_server_that_must_not_be_asked_is_taken_for_an_old_one(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start()) {
			redis.command("ACL", "SETUSER", "gateway", "on", ">sesame", "~idempotency:*", "+@all", "-info", "-config");
			try (RedisIdempotencyStore store = RedisConnectionSamples.connected(
					RedisConnectionSamples.standalone(redis.port(), "gateway", "sesame"),
					RedisStoreSettings.defaults())) {
				assertThat(output).contains("Redis (standalone, INFO is not permitted)");
				assertThat(store.server().evicts()).isFalse();
				assertThat(store.claim(this.id, RecordSamples.claim(this.id)).block()).isInstanceOf(Claim.Won.class);
				assertThat(store.claim(this.id, RecordSamples.claim(this.id)).block())
					.isInstanceOf(Claim.Running.class);
			}
		}
	}

	@Test
	void a_wrong_password_is_reported_without_being_shown(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start("--requirepass", "sesame");
				RedisIdempotencyStore store = RedisIdempotencyStore.create(
						RedisConnectionSamples.standalone(redis.port(), null, "open-wheat"),
						RedisClientSettings.defaults(), RedisStoreSettings.defaults())) {
			Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> output.getOut().contains("WRONGPASS"));
			assertThat(output).contains("Redis is not reachable").doesNotContain("open-wheat").doesNotContain("sesame");
			assertThat(store.isServing()).isFalse();
		}
	}

	@Test
	void trouble_is_reported_once_until_it_changes(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start();
				RedisIdempotencyStore store = RedisConnectionSamples.connected(redis.port())) {
			redis.kill();
			Awaitility.await().until(() -> output.getOut().contains("Connection refused"));
			redis.restart();
			Awaitility.await().until(store::isServing);
			assertThat(output.getOut().lines().filter((line) -> line.contains("Connection refused"))).hasSize(1);
			assertThat(output.getOut().lines().filter((line) -> line.contains("Idempotency records are kept")))
				.hasSize(2);
		}
	}

}
