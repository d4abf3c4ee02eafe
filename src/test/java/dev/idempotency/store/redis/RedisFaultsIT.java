package dev.idempotency.store.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.RecordSamples;
import dev.idempotency.testing.FaultProxy;
import dev.idempotency.testing.RedisMonitor;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Redis that is slow, gone, wrong or strange. */
@Slow
class RedisFaultsIT {

	private static final Duration SHORT = Duration.ofMillis(300);

	private static RedisServer redis;

	private FaultProxy proxy;

	/** Reaches Redis through the proxy. */
	private RedisIdempotencyStore store;

	/** Another gateway, whose path to Redis is sound. */
	private RedisIdempotencyStore other;

	private RecordId id;

	@BeforeAll
	static void startRedis() {
		redis = RedisServer.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@BeforeEach
	void connect(TestInfo test) {
		this.id = RecordSamples.id(test.getDisplayName());
		this.proxy = new FaultProxy(redis.port());
		this.store = RedisConnectionSamples.connected(this.proxy.port());
		this.other = RedisConnectionSamples.connected(redis.port());
	}

	@AfterEach
	void disconnect() throws IOException {
		this.store.close();
		this.other.close();
		this.proxy.close();
	}

	@AfterEach
	void noKeyIsWithoutAnEnd() {
		for (String key : redis.command("KEYS", "*").split("\n")) {
			if (!key.isEmpty()) {
				assertThat(redis.command("PTTL", key)).as("life of " + key).isNotEqualTo("-1");
			}
		}
		redis.command("FLUSHALL");
	}

	@Test
	void a_store_that_starts_without_redis_serves_once_redis_is_there() throws IOException {
		try (FaultProxy late = new FaultProxy(redis.port())) {
			late.cut();
			try (RedisIdempotencyStore store = RedisIdempotencyStore.create(
					RedisConnectionSamples.standalone(late.port()), RedisClientSettings.defaults(),
					RedisStoreSettings.defaults())) {
				assertUnavailable(store.claim(this.id, RecordSamples.claim(this.id)));
				late.heal();
				Awaitility.await().until(store::isServing);
				assertWon(store, this.id);
			}
		}
	}

	@Test
	void a_cut_connection_comes_back_by_itself() {
		IdempotencyRecord claim = assertWon(this.store, this.id);
		this.proxy.cut();
		assertUnavailable(this.store.renew(this.id, claim));
		this.proxy.heal();
		Awaitility.await().until(this.store::isServing);
		assertThat(this.store.renew(this.id, claim).block()).isEqualTo(Ownership.OURS);
	}

	@Test
	void a_server_that_was_restarted_empty_is_used_at_once() {
		assertWon(this.store, this.id);
		redis.kill();
		assertUnavailable(this.store.claim(this.id, RecordSamples.claim(this.id)));
		redis.restart();
		Awaitility.await().until(this.store::isServing);
		IdempotencyRecord claim = assertWon(this.store, this.id);
		assertThat(this.store.settle(this.id, RecordSamples.done(claim, "made")).block()).isEqualTo(Ownership.OURS);
	}

	@Test
	void a_server_that_forgets_scripts_costs_no_call() {
		IdempotencyRecord claim = assertWon(this.store, this.id);
		redis.command("SCRIPT", "FLUSH");
		assertThat(this.store.renew(this.id, claim).block()).isEqualTo(Ownership.OURS);
		redis.command("SCRIPT", "FLUSH");
		assertThat(this.store.claim(this.id, RecordSamples.claim(this.id)).block()).isInstanceOf(Claim.Running.class);
		redis.command("SCRIPT", "FLUSH");
		assertThat(this.store.settle(this.id, RecordSamples.unknown(claim)).block()).isEqualTo(Ownership.OURS);
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) this.store.find(this.id).block();
		redis.command("SCRIPT", "FLUSH");
		IdempotencyRecord next = RecordSamples.claim(this.id);
		assertThat(this.store.takeOver(this.id, seen, next).block()).isInstanceOf(Claim.Won.class);
		redis.command("SCRIPT", "FLUSH");
		assertThat(this.store.release(this.id, next.owner()).block()).isEqualTo(Ownership.OURS);
	}

	@Test
	void claims_that_a_frozen_server_carries_out_late_are_withdrawn() {
		List<RecordId> ids = IntStream.range(0, 30).mapToObj((number) -> RecordSamples.id("frozen" + number)).toList();
		redis.pause();
		try {
			assertThat(failures(ids)).isEqualTo(30);
		}
		finally {
			redis.resume();
		}
		Awaitility.await().until(this.store::isServing);
		for (RecordId one : ids) {
			IdempotencyRecord claim = assertWon(this.store, one);
			assertThat(this.other.claim(one, RecordSamples.claim(one)).block()).isInstanceOf(Claim.Running.class);
			assertThat(this.store.renew(one, claim).block()).isEqualTo(Ownership.OURS);
		}
		Awaitility.await().until(() -> this.store.withdrawnClaims() == 0);
		for (RecordId one : ids) {
			assertThat(this.other.claim(one, RecordSamples.claim(one)).block()).isInstanceOf(Claim.Running.class);
		}
	}

	@Test
	void other_gateways_get_the_keys_of_withdrawn_claims() {
		List<RecordId> ids = IntStream.range(0, 30).mapToObj((number) -> RecordSamples.id("freed" + number)).toList();
		redis.pause();
		assertThat(failures(ids)).isEqualTo(30);
		redis.resume();
		for (RecordId one : ids) {
			Awaitility.await()
				.ignoreExceptionsInstanceOf(StoreUnavailableException.class)
				.until(() -> this.other.claim(one, RecordSamples.claim(one)).block() instanceof Claim.Won);
		}
	}

	@Test
	void a_claim_whose_reply_was_lost_is_taken_over_by_the_retry() {
		this.proxy.loseReplies();
		assertUnavailable(this.store.claim(this.id, RecordSamples.claim(this.id)));
		assertThat(redis.command("EXISTS", key(this.id))).isEqualTo("1");
		healed();
		IdempotencyRecord claim = assertWon(this.store, this.id);
		Awaitility.await().until(() -> this.store.withdrawnClaims() == 0);
		assertThat(this.other.find(this.id).block()).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record()).isEqualTo(claim));
	}

	@Test
	void a_claim_sent_again_under_its_lost_token_wins_under_another() {
		IdempotencyRecord lost = RecordSamples.claim(this.id);
		this.proxy.loseReplies();
		assertUnavailable(this.store.claim(this.id, lost));
		healed();
		assertThat(this.store.claim(this.id, lost).block()).isInstanceOfSatisfying(Claim.Won.class,
				(won) -> assertThat(won.record().owner()).isNotEqualTo(lost.owner()));
		Awaitility.await().until(() -> this.store.withdrawnClaims() == 0);
		assertThat(this.other.find(this.id).block()).isInstanceOf(Claim.Running.class);
	}

	@Test
	void a_claim_whose_reply_was_lost_is_no_duplicate_of_anybody() {
		this.proxy.loseReplies();
		assertUnavailable(this.store.claim(this.id, RecordSamples.claim(this.id)));
		healed();
		assertThat(this.store.find(this.id).blockOptional()).isEmpty();
	}

	@Test
	void a_take_over_whose_reply_was_lost_leaves_the_outcome_unknown() throws IOException {
		IdempotencyRecord unknown = assertWon(this.other, this.id).settled(State.UNKNOWN, Duration.ofMinutes(5), 1,
				RecordSamples.response(500, "oops"));
		this.other.settle(this.id, unknown).block();
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) this.store.find(this.id).block();
		theServerKnowsTheScript(seen);
		this.proxy.loseReplies();
		try (RedisMonitor monitor = redis.monitor()) {
			assertUnavailable(this.store.takeOver(this.id, seen, RecordSamples.claim(this.id).afterDoubt(1)));
			assertThat(monitor.byScripts(this.id.digest())).anyMatch((line) -> line.contains("\"SET\""));
		}
		healed();
		assertStillUnknown(this.store.claim(this.id, RecordSamples.claim(this.id)).block(), unknown);
		assertStillUnknown(this.store.find(this.id).block(), unknown);
		Awaitility.await().until(() -> this.store.withdrawnClaims() == 0);
		assertStillUnknown(this.other.claim(this.id, RecordSamples.claim(this.id)).block(), unknown);
		assertThat(this.other.takeOver(this.id, seen, RecordSamples.claim(this.id)).block())
			.isInstanceOf(Claim.Won.class);
	}

	@Test
	void a_lost_take_over_is_undone_without_anybody_asking() {
		IdempotencyRecord unknown = RecordSamples.unknown(assertWon(this.other, this.id));
		this.other.settle(this.id, unknown).block();
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) this.store.find(this.id).block();
		theServerKnowsTheScript(seen);
		this.proxy.loseReplies();
		assertUnavailable(this.store.takeOver(this.id, seen, RecordSamples.claim(this.id).afterDoubt(1)));
		this.proxy.heal();
		Awaitility.await().until(() -> this.other.find(this.id).block() instanceof Claim.UnknownOutcome);
	}

	@Test
	void the_owner_of_a_lapsed_claim_can_settle_after_a_take_over_was_lost() {
		IdempotencyRecord silent = RecordSamples.claim(this.id, SHORT);
		this.other.claim(this.id, silent).block();
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) Awaitility.await()
			.until(() -> this.store.find(this.id).block(), Claim.UnknownOutcome.class::isInstance);
		theServerKnowsTheScript(seen);
		this.proxy.loseReplies();
		assertUnavailable(this.store.takeOver(this.id, seen, RecordSamples.claim(this.id).afterDoubt(1)));
		this.proxy.heal();
		Awaitility.await()
			.until(() -> this.other.settle(this.id, RecordSamples.done(silent, "late")).block() == Ownership.OURS);
		assertThat(this.other.find(this.id).block()).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void a_claim_nobody_waits_for_any_more_is_withdrawn() {
		this.proxy.delay(Duration.ofMillis(50));
		this.store.claim(this.id, RecordSamples.claim(this.id)).subscribe().dispose();
		assertThat(this.store.withdrawnClaims()).isOne();
		this.proxy.delay(Duration.ZERO);
		Awaitility.await().until(() -> this.store.withdrawnClaims() == 0);
		assertThat(redis.command("EXISTS", key(this.id))).isEqualTo("0");
	}

	@Test
	void a_release_that_failed_is_carried_out_later() {
		IdempotencyRecord claim = assertWon(this.store, this.id);
		this.proxy.blackhole();
		assertUnavailable(this.store.renew(this.id, claim));
		assertUnavailable(this.store.release(this.id, claim.owner()));
		this.proxy.heal();
		Awaitility.await().until(() -> redis.command("EXISTS", key(this.id)).equals("0"));
	}

	@Test
	void a_path_that_swallows_packets_is_replaced() {
		assertWon(this.store, this.id);
		this.proxy.blackhole();
		Awaitility.await().until(() -> !this.store.isServing());
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.store.find(this.id).onErrorResume(this::asText).block())
				.hasToString("Unreadable[reason=Redis is not connected, ownerIfAny=null]"));
		healed();
		assertThat(this.store.find(this.id).block()).isInstanceOf(Claim.Running.class);
	}

	@Test
	void a_stalled_server_costs_a_few_calls_the_time_limit_and_the_others_nothing() {
		Duration limit = Duration.ofSeconds(4);
		try (RedisIdempotencyStore patient = RedisConnectionSamples.connected(
				RedisConnectionSamples.standalone(this.proxy.port()), new RedisStoreSettings(limit, 0, "patient:"))) {
			this.proxy.blackhole();
			Flux.range(0, 5)
				.flatMap((number) -> patient.find(this.id)
					.onErrorResume(StoreUnavailableException.class, (ex) -> Mono.empty()))
				.blockLast();
			long begun = System.nanoTime();
			assertUnavailable(patient.find(this.id));
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(limit.dividedBy(2));
		}
	}

	@Test
	void nobody_is_judged_lapsed_right_after_an_outage() {
		IdempotencyRecord claim = RecordSamples.claim(this.id, Duration.ofSeconds(2));
		this.other.claim(this.id, claim).block();
		Awaitility.await().until(() -> this.store.find(this.id).block() instanceof Claim.UnknownOutcome);
		this.proxy.cut();
		Awaitility.await().until(() -> !this.store.isServing());
		healed();
		assertThat(this.store.find(this.id).block()).isInstanceOf(Claim.Running.class);
		assertThat(this.other.find(this.id).block()).isInstanceOf(Claim.UnknownOutcome.class);
		Awaitility.await().until(() -> this.store.find(this.id).block() instanceof Claim.UnknownOutcome);
	}

	@Test
	void what_lapsed_before_an_outage_is_not_taken_over_right_after_it() {
		IdempotencyRecord claim = RecordSamples.claim(this.id, Duration.ofSeconds(2));
		this.other.claim(this.id, claim).block();
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) Awaitility.await()
			.until(() -> this.store.find(this.id).block(), Claim.UnknownOutcome.class::isInstance);
		this.proxy.cut();
		Awaitility.await().until(() -> !this.store.isServing());
		healed();
		assertThat(this.store.takeOver(this.id, seen, RecordSamples.claim(this.id)).block())
			.isInstanceOfSatisfying(Claim.Running.class, (running) -> assertThat(running.record()).isEqualTo(claim));
	}

	@Test
	void a_server_that_became_a_replica_is_left_until_it_takes_writes_again() {
		redis.command("REPLICAOF", "127.0.0.1", "1");
		try {
			assertUnavailable(this.store.claim(this.id, RecordSamples.claim(this.id)));
		}
		finally {
			redis.command("REPLICAOF", "NO", "ONE");
		}
		Awaitility.await()
			.ignoreExceptionsInstanceOf(StoreUnavailableException.class)
			.until(() -> this.store.claim(this.id, RecordSamples.claim(this.id)).block() instanceof Claim.Won);
	}

	@Test
	void a_server_without_memory_refuses_claims_and_nothing_else_happens() {
		redis.command("CONFIG", "SET", "maxmemory", "1");
		try {
			assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> this.store.claim(this.id, RecordSamples.claim(this.id)).block())
				.withMessage("Redis refused: OOM");
		}
		finally {
			redis.command("CONFIG", "SET", "maxmemory", "0");
		}
		assertThat(this.store.withdrawnClaims()).isZero();
		assertWon(this.store, this.id);
	}

	@Test
	void something_else_under_the_name_of_a_record_is_unreadable() {
		redis.command("LPUSH", key(this.id), "a list");
		redis.command("PEXPIRE", key(this.id), "60000");
		assertThat(this.store.claim(this.id, RecordSamples.claim(this.id)).block())
			.isInstanceOf(Claim.Unreadable.class);
		assertThat(this.store.find(this.id).block()).isInstanceOf(Claim.Unreadable.class);
		assertThat(this.store.renew(this.id, RecordSamples.claim(this.id)).block()).isEqualTo(Ownership.FENCED);
	}

	@Test
	void a_slow_path_makes_calls_fail_but_never_lets_two_win() {
		this.proxy.delay(Duration.ofMillis(120));
		for (int round = 0; round < 5; round++) {
			RecordId one = RecordSamples.id("slow" + round);
			List<Claim> claims = Flux.range(0, 6)
				.flatMap((number) -> ((number % 2 == 0) ? this.store : this.other).claim(one, RecordSamples.claim(one))
					.onErrorResume(StoreUnavailableException.class, (ex) -> Mono.empty()))
				.collectList()
				.block();
			assertThat(claims).filteredOn(Claim.Won.class::isInstance).hasSizeLessThanOrEqualTo(1);
		}
	}

	@Test
	void closing_does_not_wait() {
		RedisIdempotencyStore closing = RedisConnectionSamples.connected(redis.port());
		long begun = System.nanoTime();
		closing.close();
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
		assertUnavailable(closing.find(this.id));
	}

	private long failures(List<RecordId> ids) {
		return Flux.fromIterable(ids)
			.flatMap((one) -> this.store.claim(one, RecordSamples.claim(one))
				.map((claim) -> 0)
				.onErrorResume(StoreUnavailableException.class, (ex) -> Mono.just(1)))
			.filter((failed) -> failed == 1)
			.count()
			.block();
	}

	/** Else the one reply that is lost would ask for it. */
	private void theServerKnowsTheScript(Claim.UnknownOutcome seen) {
		RecordId another = RecordSamples.id("another");
		this.other.takeOver(another, seen, RecordSamples.claim(another)).block();
	}

	private void healed() {
		this.proxy.heal();
		Awaitility.await().until(this.store::isServing);
	}

	private Mono<Claim> asText(Throwable failure) {
		return Mono.just(new Claim.Unreadable(failure.getMessage(), null));
	}

	private void assertUnavailable(Mono<?> step) {
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(step::block)
			.satisfies((failure) -> assertThat(failure.getMessage()).doesNotContain(this.id.digest()));
	}

	private static void assertStillUnknown(Claim claim, IdempotencyRecord unknown) {
		assertThat(claim).isInstanceOfSatisfying(Claim.UnknownOutcome.class, (seen) -> {
			assertThat(seen.record().withResponse(null)).isEqualTo(unknown.withResponse(null));
			assertThat(seen.record().response()).usingRecursiveComparison().isEqualTo(unknown.response());
		});
	}

	private static IdempotencyRecord assertWon(RedisIdempotencyStore store, RecordId id) {
		IdempotencyRecord claim = RecordSamples.claim(id);
		assertThat(store.claim(id, claim).block()).isEqualTo(new Claim.Won(claim));
		return claim;
	}

	private static String key(RecordId id) {
		return "idempotency:{" + id.digest() + "}";
	}

}
