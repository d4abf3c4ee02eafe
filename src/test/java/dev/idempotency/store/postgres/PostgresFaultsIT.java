package dev.idempotency.store.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
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
import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** PostgreSQL that is slow, gone, wrong or strange. */
@Slow
class PostgresFaultsIT {

	private static final Duration LIMIT = Duration.ofMillis(500);

	private static final Duration SOON = Duration.ofSeconds(20);

	private static PostgresServer postgres;

	private FaultProxy proxy;

	/** Reaches PostgreSQL through the proxy. */
	private PostgresIdempotencyStore store;

	/** Another gateway, whose path to PostgreSQL is sound. */
	private PostgresIdempotencyStore other;

	private RecordId id;

	@BeforeAll
	static void startPostgres() {
		postgres = PostgresServer.start();
	}

	@AfterAll
	static void stopPostgres() {
		postgres.close();
	}

	@BeforeEach
	void connect(TestInfo test) {
		this.id = RecordSamples.id(test.getDisplayName());
		this.proxy = new FaultProxy(postgres.port());
		this.store = PostgresConnectionSamples.connected(this.proxy.port(), PostgresConnectionSamples.timeout(LIMIT));
		this.other = PostgresConnectionSamples.connected(postgres.port(), PostgresConnectionSamples.PATIENT);
	}

	@AfterEach
	void disconnect() throws IOException {
		this.store.close();
		this.other.close();
		this.proxy.close();
		PostgresRows.clear(postgres);
	}

	@Test
	void a_store_that_starts_without_postgres_serves_once_postgres_is_there() throws IOException {
		try (FaultProxy late = new FaultProxy(postgres.port())) {
			late.cut();
			try (PostgresIdempotencyStore starting = PostgresConnectionSamples.store(late.port(),
					PostgresConnectionSamples.PATIENT)) {
				assertUnavailable(starting.claim(this.id, RecordSamples.claim(this.id)));
				late.heal();
				Awaitility.await().atMost(SOON).until(starting::isServing);
				assertWon(starting, this.id);
			}
		}
	}

	@Test
	void a_cut_path_comes_back_by_itself() {
		IdempotencyRecord claim = assertWon(this.store, this.id);
		this.proxy.cut();
		assertUnavailable(this.store.renew(this.id, claim));
		healed();
		assertThat(this.store.renew(this.id, claim).block()).isEqualTo(Ownership.OURS);
	}

	@Test
	void what_was_acknowledged_outlives_a_crash_of_the_server() {
		IdempotencyRecord running = assertWon(this.store, this.id);
		RecordId second = RecordSamples.id("settled before the crash");
		IdempotencyRecord done = RecordSamples.done(assertWon(this.store, second), "made");
		this.store.settle(second, done).block();
		postgres.kill();
		assertUnavailable(this.store.claim(this.id, RecordSamples.claim(this.id)));
		postgres.restart();
		Awaitility.await().atMost(SOON).until(() -> serves(this.store));
		assertThat(this.store.claim(this.id, RecordSamples.claim(this.id)).block())
			.isInstanceOfSatisfying(Claim.Running.class, (there) -> assertThat(there.record()).isEqualTo(running));
		assertThat(this.store.claim(second, RecordSamples.claim(second)).block()).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void claims_that_a_frozen_server_carries_out_late_are_withdrawn() {
		List<RecordId> ids = IntStream.range(0, 30).mapToObj((number) -> RecordSamples.id("frozen" + number)).toList();
		postgres.pause();
		try {
			assertThat(failures(ids)).isEqualTo(30);
		}
		finally {
			postgres.resume();
		}
		Awaitility.await().atMost(SOON).until(() -> serves(this.store));
		for (RecordId one : ids) {
			IdempotencyRecord claim = assertWon(this.store, one);
			assertThat(this.other.claim(one, RecordSamples.claim(one)).block()).isInstanceOf(Claim.Running.class);
			assertThat(this.store.renew(one, claim).block()).isEqualTo(Ownership.OURS);
		}
		Awaitility.await().atMost(SOON).until(() -> this.store.withdrawnClaims() == 0);
		for (RecordId one : ids) {
			assertThat(this.other.claim(one, RecordSamples.claim(one)).block()).isInstanceOf(Claim.Running.class);
		}
	}

	@Test
	void other_gateways_get_the_keys_of_withdrawn_claims() {
		List<RecordId> ids = IntStream.range(0, 20).mapToObj((number) -> RecordSamples.id("freed" + number)).toList();
		postgres.pause();
		assertThat(failures(ids)).isEqualTo(20);
		postgres.resume();
		for (RecordId one : ids) {
			Awaitility.await()
				.atMost(SOON)
				.ignoreExceptionsInstanceOf(StoreUnavailableException.class)
				.until(() -> this.other.claim(one, RecordSamples.claim(one)).block() instanceof Claim.Won);
		}
	}

	@Test
	void a_claim_whose_reply_was_lost_is_taken_over_by_the_retry() {
		loseReplyOf(this.store.claim(this.id, RecordSamples.claim(this.id)));
		assertThat(PostgresRows.count(postgres, this.id)).isOne();
		healed();
		IdempotencyRecord claim = assertWon(this.store, this.id);
		Awaitility.await().atMost(SOON).until(() -> this.store.withdrawnClaims() == 0);
		assertThat(this.other.find(this.id).block()).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record()).isEqualTo(claim));
	}

	@Test
	void a_claim_whose_reply_was_lost_is_no_duplicate_of_anybody() {
		loseReplyOf(this.store.claim(this.id, RecordSamples.claim(this.id)));
		healed();
		assertThat(this.store.find(this.id).blockOptional()).isEmpty();
	}

	@Test
	void a_take_over_whose_reply_was_lost_leaves_the_outcome_unknown() {
		IdempotencyRecord unknown = assertWon(this.other, this.id).settled(State.UNKNOWN, Duration.ofMinutes(5), 1,
				RecordSamples.response(500, "oops"));
		this.other.settle(this.id, unknown).block();
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) this.store.find(this.id).block();
		loseReplyOf(this.store.takeOver(this.id, seen, RecordSamples.claim(this.id).afterDoubt(1)));
		assertThat(this.other.find(this.id).block()).isInstanceOf(Claim.Running.class);
		healed();
		assertStillUnknown(this.store.claim(this.id, RecordSamples.claim(this.id)).block(), unknown);
		assertStillUnknown(this.store.find(this.id).block(), unknown);
		Awaitility.await().atMost(SOON).until(() -> this.store.withdrawnClaims() == 0);
		assertStillUnknown(this.other.claim(this.id, RecordSamples.claim(this.id)).block(), unknown);
		assertThat(this.other.takeOver(this.id, seen, RecordSamples.claim(this.id)).block())
			.isInstanceOf(Claim.Won.class);
	}

	@Test
	void the_owner_of_a_lapsed_claim_can_settle_after_a_take_over_was_lost() {
		IdempotencyRecord silent = RecordSamples.claim(this.id, Duration.ofMillis(300));
		this.other.claim(this.id, silent).block();
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) Awaitility.await()
			.until(() -> this.store.find(this.id).block(), Claim.UnknownOutcome.class::isInstance);
		loseReplyOf(this.store.takeOver(this.id, seen, RecordSamples.claim(this.id).afterDoubt(1)));
		this.proxy.heal();
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.other.settle(this.id, RecordSamples.done(silent, "late")).block() == Ownership.OURS);
		assertThat(this.other.find(this.id).block()).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void a_settle_whose_reply_was_lost_is_a_success_when_it_comes_again() {
		IdempotencyRecord done = RecordSamples.done(assertWon(this.store, this.id), "made");
		loseReplyOf(this.store.settle(this.id, done));
		healed();
		assertThat(this.store.settle(this.id, done).block()).isEqualTo(Ownership.OURS);
	}

	@Test
	void a_claim_nobody_waits_for_any_more_is_withdrawn() {
		this.proxy.delay(Duration.ofMillis(50));
		this.store.claim(this.id, RecordSamples.claim(this.id)).subscribe().dispose();
		this.proxy.delay(Duration.ZERO);
		Awaitility.await().atMost(SOON).until(() -> this.store.withdrawnClaims() == 0);
		assertThat(PostgresRows.count(postgres, this.id)).isZero();
	}

	@Test
	void a_release_that_failed_is_carried_out_later() {
		IdempotencyRecord claim = assertWon(this.store, this.id);
		this.proxy.blackhole();
		assertUnavailable(this.store.release(this.id, claim.owner()));
		this.proxy.heal();
		Awaitility.await().atMost(SOON).until(() -> PostgresRows.count(postgres, this.id) == 0);
	}

	@Test
	void a_path_that_swallows_packets_is_replaced() {
		assertWon(this.store, this.id);
		this.proxy.blackhole();
		Awaitility.await()
			.atMost(SOON)
			.until(() -> "PostgreSQL is not connected".equals(failureOf(this.store.find(this.id))));
		healed();
		assertThat(this.store.find(this.id).block()).isInstanceOf(Claim.Running.class);
	}

	@Test
	void a_stalled_server_costs_a_few_calls_the_time_limit_and_the_others_nothing() {
		Duration limit = Duration.ofSeconds(2);
		try (PostgresIdempotencyStore patient = PostgresConnectionSamples.connected(this.proxy.port(),
				PostgresConnectionSamples.timeout(limit))) {
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
		Awaitility.await().atMost(SOON).until(() -> !this.store.isServing());
		healed();
		assertThat(this.store.find(this.id).block()).isInstanceOf(Claim.Running.class);
		assertThat(this.other.find(this.id).block()).isInstanceOf(Claim.UnknownOutcome.class);
		Awaitility.await().until(() -> this.store.find(this.id).block() instanceof Claim.UnknownOutcome);
	}

	@Test
	void a_server_that_takes_no_writes_is_left_until_it_does_again() {
		postgres.set("default_transaction_read_only", "on");
		try {
			Awaitility.await()
				.atMost(SOON)
				.until(() -> "PostgreSQL is not connected"
					.equals(failureOf(this.store.claim(this.id, RecordSamples.claim(this.id)))));
		}
		finally {
			postgres.set("default_transaction_read_only", "off");
		}
		Awaitility.await().atMost(SOON).until(() -> serves(this.store));
		assertWon(this.store, RecordSamples.id("after"));
	}

	@Test
	void a_database_of_a_stricter_isolation_lets_one_win_and_refuses_nobody() {
		postgres.set("default_transaction_isolation", "serializable");
		try (PostgresIdempotencyStore strict = PostgresConnectionSamples.connected(postgres.port(),
				PostgresConnectionSamples.PATIENT)) {
			for (int round = 0; round < 20; round++) {
				RecordId one = RecordSamples.id("strict" + round);
				List<Claim> claims = Flux.range(0, 50)
					.flatMap((number) -> claimOf(strict, one), 50)
					.collectList()
					.block();
				assertThat(claims).hasSize(50).filteredOn(Claim.Won.class::isInstance).hasSize(1);
			}
		}
		finally {
			postgres.set("default_transaction_isolation", "read committed");
		}
	}

	@Test
	void a_commit_that_waits_for_a_standby_in_vain_fails_in_time_and_leaves_no_process_behind() {
		postgres.set("synchronous_standby_names", "nobody");
		try {
			List<RecordId> ids = IntStream.range(0, 8).mapToObj((number) -> RecordSamples.id("hung" + number)).toList();
			assertThat(failures(ids)).isEqualTo(8);
			Awaitility.await()
				.during(Duration.ofSeconds(5))
				.atMost(SOON)
				.until(() -> !this.store.isServing() && connections("wait_event = 'SyncRep'") < 4);
		}
		finally {
			postgres.set("synchronous_standby_names", "");
		}
		Awaitility.await().atMost(SOON).until(() -> serves(this.store));
		assertWon(this.store, this.id);
	}

	@Test
	void a_row_that_somebody_has_locked_costs_the_time_limit_and_nothing_waits_for_it_then() throws SQLException {
		IdempotencyRecord claim = assertWon(this.store, this.id);
		try (Connection connection = postgres.connect()) {
			connection.setAutoCommit(false);
			connection.createStatement().execute("select * from idempotency_record for update");
			assertUnavailable(this.store.renew(this.id, claim));
			Awaitility.await().atMost(SOON).until(() -> connections("wait_event_type = 'Lock'") == 0);
		}
		assertThat(this.store.renew(this.id, claim).block()).isEqualTo(Ownership.OURS);
	}

	@Test
	void no_more_connections_are_opened_than_allowed() {
		PostgresStoreSettings two = new PostgresStoreSettings(Duration.ofSeconds(5), "idempotency_record", true, 2);
		this.store.close();
		this.other.close();
		Awaitility.await().atMost(SOON).until(() -> connections("true") == 0);
		try (PostgresIdempotencyStore narrow = PostgresConnectionSamples.connected(postgres.port(), two)) {
			List<Claim> claims = Flux.range(0, 200)
				.flatMap((number) -> claimOf(narrow, RecordSamples.id("narrow" + number)), 200)
				.collectList()
				.block();
			assertThat(claims).hasSize(200).allMatch(Claim.Won.class::isInstance);
			assertThat(connections("true")).isLessThanOrEqualTo(2);
		}
	}

	@Test
	void a_slow_path_makes_calls_fail_but_never_lets_two_win() {
		this.proxy.delay(Duration.ofMillis(240));
		for (int round = 0; round < 5; round++) {
			RecordId one = RecordSamples.id("slow" + round);
			List<Claim> claims = Flux.range(0, 6)
				.flatMap((number) -> claimOf((number % 2 == 0) ? this.store : this.other, one)
					.onErrorResume(StoreUnavailableException.class, (ex) -> Mono.empty()))
				.collectList()
				.block();
			assertThat(claims).filteredOn(Claim.Won.class::isInstance).hasSizeLessThanOrEqualTo(1);
		}
	}

	@Test
	void closing_does_not_wait() {
		PostgresIdempotencyStore closing = PostgresConnectionSamples.connected(postgres.port(),
				PostgresConnectionSamples.PATIENT);
		long begun = System.nanoTime();
		closing.close();
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
		assertUnavailable(closing.find(this.id));
	}

	@Test
	void the_state_of_the_server_is_told() {
		assertThat(this.store.status().serving()).isTrue();
		assertThat(this.store.status().facts()).containsEntry("synchronousCommit", "on")
			.containsEntry("standbys", 0L)
			.containsEntry("synchronousStandbys", 0L)
			.containsKey("version");
		this.proxy.cut();
		Awaitility.await().atMost(SOON).until(() -> !this.store.status().serving());
	}

	private int connections(String condition) {
		return Integer.parseInt(postgres.query("select count(*) from pg_stat_activity "
				+ "where application_name = 'idempotency-gateway' and " + condition));
	}

	/** Whether a whole round trip works; the store itself may not have noticed yet. */
	private boolean serves(PostgresIdempotencyStore which) {
		return which.isServing() && failureOf(which.find(this.id)) == null;
	}

	private void loseReplyOf(Mono<?> step) {
		this.proxy.loseReplies();
		assertUnavailable(step);
	}

	private void healed() {
		this.proxy.heal();
		Awaitility.await().atMost(SOON).until(() -> serves(this.store));
	}

	private long failures(List<RecordId> ids) {
		return Flux.fromIterable(ids)
			.flatMap((one) -> claimOf(this.store, one).map((claim) -> 0)
				.onErrorResume(StoreUnavailableException.class, (ex) -> Mono.just(1)))
			.filter((failed) -> failed == 1)
			.count()
			.block();
	}

	private static Mono<Claim> claimOf(PostgresIdempotencyStore store, RecordId id) {
		return store.claim(id, RecordSamples.claim(id));
	}

	private static String failureOf(Mono<?> step) {
		try {
			step.block();
			return null;
		}
		catch (StoreUnavailableException ex) {
			return ex.getMessage();
		}
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

	private static IdempotencyRecord assertWon(PostgresIdempotencyStore store, RecordId id) {
		IdempotencyRecord claim = RecordSamples.claim(id);
		assertThat(store.claim(id, claim).block()).isEqualTo(new Claim.Won(claim));
		return claim;
	}

}
