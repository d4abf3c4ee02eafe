package dev.idempotency.store.tiered;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;

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
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.PairedStore;
import dev.idempotency.store.RecordSamples;
import dev.idempotency.store.postgres.PostgresRows;
import dev.idempotency.testing.FaultProxy;
import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Redis that forgets or is gone, PostgreSQL that is gone, and both coming back. */
@Slow
class TieredFaultsIT {

	private static final Duration LIMIT = Duration.ofMillis(500);

	private static final Duration LONG = Duration.ofMinutes(10);

	private static final Duration SHORT = Duration.ofMillis(300);

	private static final Duration SOON = Duration.ofSeconds(20);

	private static RedisServer redis;

	private static PostgresServer postgres;

	private FaultProxy toRedis;

	private FaultProxy toPostgres;

	/** A gateway that reaches both tiers through proxies. */
	private Tiers tiers;

	/** Another gateway, whose paths are sound. */
	private Tiers others;

	private IdempotencyStore store;

	private IdempotencyStore other;

	private RecordId id;

	@BeforeAll
	static void startServers() {
		redis = RedisServer.start();
		postgres = PostgresServer.start();
	}

	@AfterAll
	static void stopServers() {
		postgres.close();
		redis.close();
	}

	@BeforeEach
	void connect(TestInfo test) {
		this.id = RecordSamples.id(test.getDisplayName());
		this.toRedis = new FaultProxy(redis.port());
		this.toPostgres = new FaultProxy(postgres.port());
		this.tiers = Tiers.connected(this.toRedis.port(), this.toPostgres.port(), LIMIT);
		this.others = Tiers.connected(redis.port(), postgres.port(), Duration.ofSeconds(5));
		this.store = this.tiers.store();
		this.other = this.others.store();
	}

	@AfterEach
	void disconnect() throws IOException {
		this.tiers.close();
		this.others.close();
		this.toRedis.close();
		this.toPostgres.close();
		redis.command("FLUSHALL");
		PostgresRows.clear(postgres);
	}

	@Test
	void a_claim_is_in_both_tiers_when_it_is_won() {
		IdempotencyRecord claim = assertWon(this.store);
		assertRunning(this.others.redis().find(this.id).block(), claim);
		assertRunning(this.others.postgres().find(this.id).block(), claim);
	}

	@Test
	void an_outcome_is_in_both_tiers_when_it_is_settled() {
		settleDone();
		assertThat(this.others.redis().find(this.id).block()).isInstanceOf(Claim.Finished.class);
		assertThat(this.others.postgres().find(this.id).block()).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void what_redis_has_forgotten_is_replayed_from_postgres_and_by_redis_again() {
		settleDone();
		redis.command("FLUSHALL");
		assertThat(claim(this.other)).isInstanceOf(Claim.Finished.class);
		assertThat(this.others.redis().find(this.id).block()).isInstanceOf(Claim.Finished.class);
		assertThat(claim(this.store)).isInstanceOf(Claim.Finished.class);
	}

	/** A claim in Redis alone may be of somebody whom PostgreSQL is about to refuse. */
	@Test
	void postgres_is_asked_before_a_key_is_called_another_requests() {
		settleDone();
		redis.command("FLUSHALL");
		IdempotencyRecord stranger = claimOfAnother();
		assertThat(this.others.redis().claim(this.id, stranger).block()).isEqualTo(new Claim.Won(stranger));
		assertThat(claim(this.store)).isInstanceOf(Claim.Finished.class);
		assertThat(this.others.redis().find(this.id).block()).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void a_key_that_is_another_requests_in_both_tiers_is_called_so() {
		IdempotencyRecord stranger = won(this.other, claimOfAnother());
		assertRunning(claim(this.store), stranger);
	}

	@Test
	void a_doubt_is_taken_over_though_redis_has_a_claim_of_another_request() {
		IdempotencyRecord claim = assertWon(this.store);
		this.store.settle(this.id, RecordSamples.unknown(claim)).block();
		Claim.Open doubt = (Claim.Open) claim(this.store);
		redis.command("FLUSHALL");
		this.others.redis().claim(this.id, claimOfAnother()).block();
		IdempotencyRecord mine = RecordSamples.claim(this.id);
		assertThat(this.store.takeOver(this.id, doubt, mine).block()).isInstanceOf(Claim.Won.class);
		assertRunning(this.others.redis().find(this.id).block(), mine);
	}

	@Test
	void a_copy_in_redis_lives_no_longer_than_the_original() {
		IdempotencyRecord claim = assertWon(this.store);
		this.store.settle(this.id, RecordSamples.done(claim, "made", Duration.ofSeconds(100))).block();
		redis.command("FLUSHALL");
		long before = System.nanoTime();
		Awaitility.await().until(() -> System.nanoTime() - before > SHORT.toNanos());
		claim(this.other);
		assertThat(Long.parseLong(redis.command("PTTL", key()))).isBetween(1L, 100_000 - SHORT.toMillis());
	}

	@Test
	void an_operation_that_redis_has_forgotten_does_not_run_twice() {
		IdempotencyRecord claim = assertWon(this.store);
		redis.command("FLUSHALL");
		assertRunning(claim(this.other), claim);
		assertRunning(this.others.redis().find(this.id).block(), claim);
		assertThat(this.store.renew(this.id, claim).block()).isEqualTo(Ownership.OURS);
		assertThat(this.store.settle(this.id, RecordSamples.done(claim, "made")).block()).isEqualTo(Ownership.OURS);
		assertThat(claim(this.other)).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void a_redis_that_is_killed_and_comes_back_empty_changes_nothing() {
		IdempotencyRecord claim = assertWon(this.store);
		redis.kill();
		assertRunning(claim(this.other), claim);
		assertThat(this.store.renew(this.id, claim).block()).isEqualTo(Ownership.OURS);
		redis.restart();
		this.tiers.awaitServing();
		this.others.awaitServing();
		assertRunning(claim(this.other), claim);
		this.store.settle(this.id, RecordSamples.done(claim, "made")).block();
		redis.command("FLUSHALL");
		assertThat(claim(this.other)).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void what_was_settled_while_redis_was_away_is_replayed_once_it_is_back() {
		IdempotencyRecord claim = won(this.store, RecordSamples.claim(this.id, Duration.ofSeconds(1)));
		this.toRedis.cut();
		assertThat(this.store.settle(this.id, RecordSamples.done(claim, "made")).block()).isEqualTo(Ownership.OURS);
		assertRunning(this.others.redis().find(this.id).block(), claim);
		Awaitility.await().atMost(SOON).until(() -> claim(this.other) instanceof Claim.Finished);
		assertThat(this.others.redis().find(this.id).block()).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void a_claim_whose_end_redis_has_missed_does_not_say_that_it_runs_until_its_lease_is_over() {
		IdempotencyRecord claim = won(this.store, RecordSamples.claim(this.id, Duration.ofMinutes(10)));
		this.toRedis.cut();
		assertThat(this.store.settle(this.id, RecordSamples.done(claim, "made")).block()).isEqualTo(Ownership.OURS);
		assertRunning(claim(this.other), claim);
		this.toRedis.heal();
		Awaitility.await().atMost(SOON).until(() -> claim(this.other) instanceof Claim.Finished);
		assertThat(claim(this.store)).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void of_an_owner_who_is_silent_in_redis_postgres_is_asked_even_before_he_may_be_judged() {
		IdempotencyRecord claim = won(this.other, RecordSamples.claim(this.id, Duration.ofSeconds(3)));
		this.toRedis.cut();
		this.others.postgres().settle(this.id, RecordSamples.done(claim, "made")).block();
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.others.redis().find(this.id).block() instanceof Claim.UnknownOutcome);
		this.toRedis.heal();
		this.tiers.awaitServing();
		assertThat(this.tiers.redis().find(this.id).block()).isInstanceOf(Claim.Running.class);
		assertThat(claim(this.store)).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void a_claim_that_lost_leaves_redis_also_if_the_winner_cannot_be_copied_there() {
		settleDone();
		redis.command("FLUSHALL");
		PairedStore clumsy = (PairedStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { PairedStore.class },
				(proxy, method, arguments) -> method.getName().equals("put")
						? Mono.error(new StoreUnavailableException("no", null))
						: method.invoke(this.tiers.redis(), arguments));
		IdempotencyStore gateway = new TieredIdempotencyStore(clumsy, this.tiers.postgres(), () -> {
		});
		assertThat(claim(gateway)).isInstanceOf(Claim.Finished.class);
		assertThat(this.others.redis().find(this.id).blockOptional()).isEmpty();
	}

	@Test
	void without_redis_postgres_serves_alone_and_it_is_counted() {
		this.toRedis.cut();
		Awaitility.await().atMost(SOON).until(() -> !this.tiers.redis().isServing());
		IdempotencyRecord claim = ((Claim.Won) claim(this.store)).record();
		assertThat(claim(this.store)).isInstanceOf(Claim.Running.class);
		assertThat(this.tiers.degraded()).hasValue(2);
		assertThat(this.store.status().serving()).isTrue();
		this.store.settle(this.id, RecordSamples.done(claim, "made")).block();
		assertThat(claim(this.store)).isInstanceOf(Claim.Finished.class);
		assertThat(claim(this.other)).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void a_gateway_without_redis_and_one_with_it_do_not_both_win() {
		this.toRedis.cut();
		Awaitility.await().atMost(SOON).until(() -> !this.tiers.redis().isServing());
		for (int round = 0; round < 20; round++) {
			RecordId one = RecordSamples.id("apart" + round);
			List<Claim> claims = Flux.just(this.store, this.other)
				.flatMap((each) -> each.claim(one, RecordSamples.claim(one)))
				.collectList()
				.block();
			assertThat(claims).filteredOn(Claim.Won.class::isInstance).hasSize(1);
		}
	}

	@Test
	void of_many_claims_at_both_gateways_while_redis_is_flushed_one_wins() {
		for (int round = 0; round < 10; round++) {
			RecordId one = RecordSamples.id("flushed" + round);
			List<Claim> claims = Flux.range(0, 16).flatMap((number) -> {
				if (number % 4 == 3) {
					redis.command("FLUSHALL");
				}
				return ((number % 2 == 0) ? this.store : this.other).claim(one, RecordSamples.claim(one))
					.onErrorResume(StoreUnavailableException.class, (ex) -> Mono.empty());
			}).collectList().block();
			assertThat(claims).filteredOn(Claim.Won.class::isInstance).hasSize(1);
		}
	}

	@Test
	void a_claim_in_redis_whose_reply_was_lost_does_not_keep_its_key() {
		this.toRedis.loseReplies();
		IdempotencyRecord claim = ((Claim.Won) claim(this.store)).record();
		this.toRedis.heal();
		this.tiers.awaitServing();
		Awaitility.await().atMost(SOON).until(() -> this.tiers.redis().withdrawnClaims() == 0);
		assertRunning(claim(this.other), claim);
		assertRunning(this.others.redis().find(this.id).block(), claim);
	}

	@Test
	void without_postgres_redis_replays_what_it_has_and_takes_no_new_key() {
		settleDone();
		RecordId running = RecordSamples.id("running");
		this.other.claim(running, RecordSamples.claim(running)).block();
		cutPostgres();
		assertThat(claim(this.store)).isInstanceOf(Claim.Finished.class);
		assertThat(this.store.claim(running, RecordSamples.claim(running)).block()).isInstanceOf(Claim.Running.class);
		RecordId fresh = RecordSamples.id("fresh");
		assertUnavailable(this.store.claim(fresh, RecordSamples.claim(fresh)));
		assertThat(this.others.redis().find(fresh).blockOptional()).isEmpty();
		assertThat(this.store.status().serving()).isFalse();
	}

	@Test
	void without_postgres_nobody_is_told_that_an_outcome_is_unknown() {
		IdempotencyRecord claim = won(this.other, RecordSamples.claim(this.id, SHORT));
		cutPostgres();
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.tiers.redis().find(this.id).block() instanceof Claim.UnknownOutcome);
		assertUnavailable(this.store.claim(this.id, RecordSamples.claim(this.id)));
		assertThat(this.other.settle(this.id, RecordSamples.done(claim, "made")).block()).isEqualTo(Ownership.OURS);
		assertThat(claim(this.store)).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void an_outcome_is_replayed_by_redis_before_postgres_has_it() {
		IdempotencyRecord claim = assertWon(this.store);
		IdempotencyRecord done = RecordSamples.done(claim, "made");
		cutPostgres();
		assertUnavailable(this.store.settle(this.id, done));
		assertThat(claim(this.store)).isInstanceOf(Claim.Finished.class);
		assertThat(claim(this.other)).isInstanceOf(Claim.Finished.class);
		healPostgres();
		assertThat(this.store.settle(this.id, done).block()).isEqualTo(Ownership.OURS);
		assertThat(this.others.postgres().find(this.id).block()).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void a_row_whose_reply_was_lost_and_its_claim_are_withdrawn() {
		this.toPostgres.loseReplies();
		assertUnavailable(this.store.claim(this.id, RecordSamples.claim(this.id)));
		assertThat(PostgresRows.count(postgres, this.id)).isOne();
		assertThat(this.others.redis().find(this.id).blockOptional()).isEmpty();
		healPostgres();
		IdempotencyRecord claim = assertWon(this.store);
		Awaitility.await().atMost(SOON).until(() -> this.tiers.postgres().withdrawnClaims() == 0);
		assertRunning(claim(this.other), claim);
	}

	@Test
	void a_lost_row_nobody_comes_back_for_frees_its_key_by_itself() {
		this.toPostgres.loseReplies();
		assertUnavailable(this.store.claim(this.id, RecordSamples.claim(this.id)));
		this.toPostgres.heal();
		Awaitility.await().atMost(SOON).until(() -> PostgresRows.count(postgres, this.id) == 0);
		assertWon(this.other);
	}

	@Test
	void a_withdrawn_claim_that_was_copied_to_redis_meanwhile_does_not_keep_its_key() {
		this.toPostgres.loseReplies();
		assertUnavailable(this.store.claim(this.id, RecordSamples.claim(this.id, SHORT)));
		this.toPostgres.blackhole();
		Awaitility.await().atMost(SOON).until(() -> claim(this.other) instanceof Claim.UnknownOutcome);
		assertThat(this.others.redis().find(this.id).block()).isInstanceOf(Claim.UnknownOutcome.class);
		Awaitility.await().atMost(SOON).until(() -> this.tiers.redis().withdrawnClaims() == 0);
		this.toPostgres.heal();
		Awaitility.await().atMost(SOON).until(() -> claim(this.other) instanceof Claim.Won);
	}

	@Test
	void a_withdrawn_claim_that_was_copied_to_postgres_meanwhile_does_not_keep_its_key() {
		cutPostgres();
		this.toRedis.delay(LIMIT.dividedBy(4));
		this.store.claim(this.id, RecordSamples.claim(this.id, SHORT)).onErrorComplete().subscribe();
		Awaitility.await().atMost(SOON).until(() -> this.others.redis().find(this.id).blockOptional().isPresent());
		this.toRedis.blackhole();
		Awaitility.await().atMost(SOON).until(() -> claim(this.other) instanceof Claim.UnknownOutcome);
		assertThat(PostgresRows.count(postgres, this.id)).isOne();
		healPostgres();
		this.toRedis.heal();
		Awaitility.await().atMost(SOON).until(() -> claim(this.other) instanceof Claim.Won);
	}

	@Test
	void a_lapsed_claim_without_a_row_is_unknown_and_gets_one() {
		IdempotencyRecord claim = RecordSamples.claim(this.id, SHORT);
		this.others.redis().claim(this.id, claim).block();
		Awaitility.await().atMost(SOON).until(() -> claim(this.other) instanceof Claim.UnknownOutcome);
		assertThat(this.others.postgres().find(this.id).block()).isInstanceOf(Claim.UnknownOutcome.class);
		redis.command("FLUSHALL");
		assertThat(claim(this.other)).isInstanceOfSatisfying(Claim.UnknownOutcome.class,
				(unknown) -> assertThat(unknown.record()).isEqualTo(claim));
	}

	@Test
	void a_claim_that_lapsed_in_redis_only_is_still_running() {
		IdempotencyRecord claim = won(this.store, RecordSamples.claim(this.id, Duration.ofSeconds(2)));
		this.toRedis.cut();
		Awaitility.await().atMost(SOON).until(() -> {
			this.store.renew(this.id, claim).block();
			return this.others.redis().find(this.id).block() instanceof Claim.UnknownOutcome;
		});
		assertRunning(claim(this.other), claim);
		assertRunning(this.others.redis().find(this.id).block(), claim);
	}

	@Test
	void an_owner_gets_his_place_in_redis_back_from_a_claim_that_lost() {
		IdempotencyRecord claim = assertWon(this.store);
		redis.command("DEL", key());
		this.others.redis().claim(this.id, RecordSamples.claim(this.id)).block();
		assertThat(this.store.renew(this.id, claim).block()).isEqualTo(Ownership.OURS);
		assertRunning(this.others.redis().find(this.id).block(), claim);
		redis.command("DEL", key());
		this.others.redis().claim(this.id, RecordSamples.claim(this.id)).block();
		this.store.settle(this.id, RecordSamples.done(claim, "made")).block();
		assertThat(this.others.redis().find(this.id).block()).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void an_owner_who_was_taken_over_does_not_come_back_through_an_empty_redis() {
		IdempotencyRecord old = assertWon(this.store);
		this.store.settle(this.id, RecordSamples.unknown(old)).block();
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) claim(this.other);
		IdempotencyRecord next = RecordSamples.claim(this.id).afterDoubt(1);
		assertThat(this.other.takeOver(this.id, seen, next).block()).isInstanceOf(Claim.Won.class);
		redis.command("FLUSHALL");
		assertThat(this.store.renew(this.id, old).block()).isEqualTo(Ownership.FENCED);
		assertThat(this.store.settle(this.id, RecordSamples.done(old, "too late")).block()).isEqualTo(Ownership.FENCED);
		assertThat(this.others.redis().find(this.id).blockOptional()).isEmpty();
		assertRunning(claim(this.store), next);
	}

	@Test
	void what_redis_knows_to_be_done_is_not_taken_over() {
		IdempotencyRecord claim = won(this.store, RecordSamples.claim(this.id, SHORT));
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) Awaitility.await()
			.atMost(SOON)
			.until(() -> claim(this.other), Claim.UnknownOutcome.class::isInstance);
		this.others.redis().settle(this.id, RecordSamples.done(claim, "made")).block();
		assertThat(this.other.takeOver(this.id, seen, RecordSamples.claim(this.id)).block())
			.isInstanceOf(Claim.Finished.class);
	}

	@Test
	void a_take_over_without_redis_is_known_to_redis_by_its_next_sign_of_life() {
		IdempotencyRecord old = assertWon(this.store);
		this.store.settle(this.id, RecordSamples.unknown(old)).block();
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) claim(this.store);
		this.toRedis.cut();
		IdempotencyRecord next = RecordSamples.claim(this.id).afterDoubt(1);
		assertThat(this.store.takeOver(this.id, seen, next).block()).isInstanceOf(Claim.Won.class);
		assertRunning(claim(this.other), next);
		this.toRedis.heal();
		this.tiers.awaitServing();
		this.store.renew(this.id, next).block();
		assertRunning(this.others.redis().find(this.id).block(), next);
	}

	@Test
	void a_release_frees_both_tiers() {
		IdempotencyRecord claim = assertWon(this.store);
		assertThat(this.store.release(this.id, claim.owner()).block()).isEqualTo(Ownership.OURS);
		assertThat(this.others.redis().find(this.id).blockOptional()).isEmpty();
		assertThat(PostgresRows.count(postgres, this.id)).isZero();
	}

	@Test
	void operators_need_both_tiers() {
		IdempotencyRecord claim = assertWon(this.store);
		this.store.settle(this.id, RecordSamples.unknown(claim)).block();
		this.toRedis.cut();
		assertUnavailable(this.store.find(this.id));
		assertUnavailable(this.store.forget(this.id, claim.owner()));
		assertThat(PostgresRows.count(postgres, this.id)).isOne();
		this.toRedis.heal();
		this.tiers.awaitServing();
		cutPostgres();
		assertUnavailable(this.store.find(this.id));
		assertUnavailable(this.store.forget(this.id, claim.owner()));
		healPostgres();
		assertThat(this.store.forget(this.id, claim.owner()).block()).isEqualTo(Ownership.OURS);
		assertThat(this.store.find(this.id).blockOptional()).isEmpty();
		assertThat(this.others.redis().find(this.id).blockOptional()).isEmpty();
	}

	@Test
	void a_running_claim_is_not_forgotten() {
		IdempotencyRecord claim = assertWon(this.store);
		assertThat(this.store.forget(this.id, claim.owner()).block()).isEqualTo(Ownership.FENCED);
		assertRunning(claim(this.other), claim);
	}

	@Test
	void what_an_operator_forgets_is_forgotten_by_a_redis_that_had_something_else_too() {
		IdempotencyRecord claim = assertWon(this.store);
		IdempotencyRecord unknown = RecordSamples.unknown(claim);
		this.store.settle(this.id, unknown).block();
		redis.command("DEL", key());
		IdempotencyRecord stranger = RecordSamples.claim(this.id);
		this.others.redis().settle(this.id, RecordSamples.unknown(stranger)).block();
		assertThat(this.store.forget(this.id, claim.owner()).block()).isEqualTo(Ownership.OURS);
		assertWon(this.other);
	}

	@Test
	void both_tiers_tell_how_they_are() {
		assertThat(this.store.status().facts()).containsOnlyKeys("redis", "postgres")
			.allSatisfy((name, facts) -> assertThat(((Map<?, ?>) facts).get("serving")).isEqualTo(true));
	}

	private void settleDone() {
		IdempotencyRecord claim = assertWon(this.store);
		assertThat(this.store.settle(this.id, RecordSamples.done(claim, "made")).block()).isEqualTo(Ownership.OURS);
	}

	private void cutPostgres() {
		this.toPostgres.cut();
		Awaitility.await().atMost(SOON).until(() -> !this.tiers.postgres().isServing());
	}

	private void healPostgres() {
		this.toPostgres.heal();
		PairedStore away = this.tiers.postgres();
		Awaitility.await()
			.atMost(SOON)
			.ignoreExceptionsInstanceOf(StoreUnavailableException.class)
			.until(() -> away.look(RecordSamples.id("nothing")).blockOptional().isEmpty());
	}

	private Claim claim(IdempotencyStore which) {
		return which.claim(this.id, RecordSamples.claim(this.id)).block();
	}

	private IdempotencyRecord claimOfAnother() {
		return IdempotencyRecord.claim(this.id, RecordSamples.fingerprint("another body"),
				new IdempotencyPolicy.Retention(LONG, LONG, LONG));
	}

	private IdempotencyRecord assertWon(IdempotencyStore which) {
		return won(which, RecordSamples.claim(this.id));
	}

	private IdempotencyRecord won(IdempotencyStore which, IdempotencyRecord claim) {
		assertThat(which.claim(this.id, claim).block()).isEqualTo(new Claim.Won(claim));
		return claim;
	}

	private static void assertRunning(Claim claim, IdempotencyRecord expected) {
		assertThat(claim).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record()).isEqualTo(expected));
	}

	private static void assertUnavailable(Mono<?> step) {
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(step::block);
	}

	private String key() {
		return "idempotency:{" + this.id.digest() + "}";
	}

}
