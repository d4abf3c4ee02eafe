package dev.idempotency.store.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.api.Test;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.RecordSamples;
import dev.idempotency.testing.RedisMonitor;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.RedisSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What Redis is told, and how much of it, on every Redis there is. */
@ParameterizedClass
@MethodSource("sources")
class RedisCommandsIT {

	@Parameter
	private RedisSource source;

	private final RecordId id = RecordSamples.id("commands");

	private final IdempotencyRecord claim = RecordSamples.claim(this.id);

	private RedisServer redis;

	private RedisIdempotencyStore store;

	private RedisMonitor monitor;

	static List<RedisSource> sources() {
		return RedisSource.available();
	}

	@BeforeEach
	void start() {
		this.redis = RedisServer.start(this.source);
		this.store = RedisConnectionSamples.connected(this.redis.port());
		this.monitor = this.redis.monitor();
	}

	@AfterEach
	void stop() throws IOException {
		this.monitor.close();
		this.store.close();
		this.redis.close();
	}

	@Test
	void a_new_key_costs_one_round_trip() {
		this.store.claim(this.id, this.claim).block();
		if (this.store.server().setsAndGets()) {
			assertThat(told()).hasSize(1).allMatch((line) -> line.contains("\"NX\" \"GET\" \"PX\" \"600000\""));
		}
		else {
			assertThat(told()).hasSize(2);
			assertThat(told().get(0)).contains("\"SET\"", "\"NX\" \"PX\" \"600000\"");
			assertThat(told().get(1)).contains("\"GET\"");
		}
	}

	@Test
	void a_replay_costs_one_round_trip() {
		settled();
		int before = told().size();
		assertThat(this.store.claim(this.id, RecordSamples.claim(this.id)).block()).isInstanceOf(Claim.Finished.class);
		assertThat(told()).hasSize(before + claimCommands());
	}

	@Test
	void a_duplicate_of_a_running_operation_costs_two_round_trips() {
		this.store.claim(this.id, this.claim).block();
		this.store.claim(this.id, RecordSamples.claim(this.id)).block();
		int before = told().size();
		assertThat(this.store.claim(this.id, RecordSamples.claim(this.id)).block()).isInstanceOf(Claim.Running.class);
		assertThat(told()).hasSize(before + claimCommands() + 1);
	}

	@Test
	void a_renewal_changes_no_octet_and_only_the_remaining_life() {
		this.store.claim(this.id, this.claim).block();
		String key = key();
		String octets = this.redis.command("GET", key);
		this.redis.command("PEXPIRE", key, "1000");
		this.store.renew(this.id, this.claim).block();
		assertThat(this.redis.command("GET", key)).isEqualTo(octets);
		assertThat(Long.parseLong(this.redis.command("PTTL", key))).isBetween(590_000L, 600_000L);
		assertThat(this.monitor.byScripts(this.id.digest())).noneMatch((line) -> line.contains("\"SET\""))
			.anyMatch((line) -> line.contains("\"PEXPIRE\""));
	}

	@Test
	void a_settled_record_lives_its_time_from_the_settle_on() {
		settled();
		assertThat(Long.parseLong(this.redis.command("PTTL", key()))).isBetween(590_000L, 600_000L);
		this.redis.command("PEXPIRE", key(), "100000");
		this.store.renew(this.id, this.claim).block();
		this.store.claim(this.id, RecordSamples.claim(this.id)).block();
		assertThat(Long.parseLong(this.redis.command("PTTL", key()))).isLessThanOrEqualTo(100_000L);
	}

	@Test
	void the_name_of_a_record_is_prefix_and_digest_in_braces() {
		this.store.claim(this.id, this.claim).block();
		assertThat(this.redis.command("KEYS", "*")).isEqualTo("idempotency:{" + this.id.digest() + "}");
		assertThat(this.redis.command("STRLEN", key()))
			.satisfies((length) -> assertThat(Integer.parseInt(length)).isLessThanOrEqualTo(120));
	}

	@Test
	void another_prefix_is_another_world() {
		try (RedisIdempotencyStore staging = RedisConnectionSamples.connected(
				RedisConnectionSamples.standalone(this.redis.port()),
				new RedisStoreSettings(Duration.ofMillis(250), 0, "staging:"))) {
			this.store.claim(this.id, this.claim).block();
			assertThat(staging.claim(this.id, RecordSamples.claim(this.id)).block()).isInstanceOf(Claim.Won.class);
		}
	}

	@Test
	void an_idle_gateway_keeps_in_contact() {
		int before = pings();
		Awaitility.await().until(() -> pings() >= before + 3);
	}

	@Test
	void connections_bear_a_name() {
		assertThat(this.redis.command("CLIENT", "LIST")).contains("name=tests");
	}

	private void settled() {
		this.store.claim(this.id, this.claim).block();
		this.store.settle(this.id, RecordSamples.done(this.claim, "made")).block();
	}

	private int claimCommands() {
		return this.store.server().setsAndGets() ? 1 : 2;
	}

	private List<String> told() {
		return this.monitor.commands(this.id.digest());
	}

	private int pings() {
		return this.monitor.commands("\"PING\"").size();
	}

	private String key() {
		return "idempotency:{" + this.id.digest() + "}";
	}

}
