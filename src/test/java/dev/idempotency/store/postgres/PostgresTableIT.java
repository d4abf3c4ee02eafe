package dev.idempotency.store.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.JobId;
import dev.idempotency.core.JobQueue.Taken;
import dev.idempotency.core.JobTicket;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.RecordSamples;
import dev.idempotency.testing.PostgresServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** How the table comes into being, and how it is kept small. */
class PostgresTableIT {

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private static final Duration SOON = Duration.ofSeconds(20);

	/** And not what probes and rooms leave until it is swept. */
	private static final String RECORDS = " where state > 0";

	private static PostgresServer postgres;

	@BeforeAll
	static void startPostgres() {
		postgres = PostgresServer.start();
	}

	@AfterAll
	static void stopPostgres() {
		postgres.close();
	}

	@Test
	void gateways_that_start_together_create_one_table() {
		PostgresStoreSettings settings = settings("made_together", true);
		List<PostgresIdempotencyStore> stores = IntStream.range(0, 8)
			.mapToObj((number) -> PostgresConnectionSamples.store(postgres.port(), settings))
			.toList();
		try {
			Awaitility.await().atMost(SOON).until(() -> stores.stream().allMatch(PostgresIdempotencyStore::isServing));
			RecordId id = RecordSamples.id("one table");
			assertThat(stores.stream().map((store) -> claim(store, id))).filteredOn(Claim.Won.class::isInstance)
				.hasSize(1);
		}
		finally {
			stores.forEach(PostgresIdempotencyStore::close);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "order", "Mixed_Case", "pg_temp_like", "other.idempotency_record" })
	void the_table_can_have_any_ordinary_name(String table) {
		postgres.query("create schema if not exists other");
		try (PostgresIdempotencyStore store = PostgresConnectionSamples.connected(postgres.port(),
				settings(table, true))) {
			RecordId id = RecordSamples.id(table);
			assertThat(claim(store, id)).isInstanceOf(Claim.Won.class);
			assertThat(claim(store, id)).isInstanceOf(Claim.Running.class);
			assertThat(postgres.query("select count(*) from " + PostgresSchema.of(table).table() + RECORDS))
				.isEqualTo("1");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "a;b", "a\"b", "a.b.c", "1a", "é" })
	void what_is_no_ordinary_name_is_refused(String table) {
		assertThatIllegalArgumentException().isThrownBy(() -> settings(table, true));
	}

	@Test
	void a_store_that_may_not_create_its_table_waits_for_it() {
		try (PostgresIdempotencyStore store = PostgresConnectionSamples.store(postgres.port(),
				settings("made_by_hand", false))) {
			Awaitility.await().during(Duration.ofSeconds(1)).until(() -> !store.isServing());
			postgres.query(PostgresSchema.of("made_by_hand").creation());
			Awaitility.await().atMost(SOON).until(store::isServing);
		}
	}

	@Test
	void a_role_that_may_not_create_tables_is_content_with_one_that_is_there() {
		postgres.query(PostgresSchema.of("made_by_owner").creation());
		postgres.query("create role modest login");
		postgres.query("grant select, insert, update, delete "
				+ "on made_by_owner, made_by_owner_tickets, made_by_owner_letters to modest");
		try (PostgresIdempotencyStore store = PostgresIdempotencyStore.create(
				PostgresConnectionSamples.factory("modest", postgres.port(), LIMIT), settings("made_by_owner", true))) {
			Awaitility.await().atMost(SOON).until(store::isServing);
			RecordId id = RecordSamples.id("modest");
			assertThat(claim(store, id)).isInstanceOf(Claim.Won.class);
			JobTicket ticket = new JobTicket(JobId.random(id), 0, Instant.EPOCH);
			store.jobs().offer("modest", ticket, Duration.ZERO).block();
			assertThat(store.jobs().take("modest", 1, LIMIT).block()).extracting(Taken::ticket).containsExactly(ticket);
		}
	}

	@Test
	void tables_that_are_missing_beside_an_older_one_are_made() {
		postgres.query(PostgresSchema.of("older").creation());
		postgres.query("drop table older_tickets, older_letters");
		try (PostgresIdempotencyStore store = PostgresConnectionSamples.connected(postgres.port(),
				settings("older", true))) {
			assertThat(store.jobs().size("any").block()).isZero();
			assertThat(store.deadLetters().summary().block().count()).isZero();
		}
	}

	@Test
	void expired_rows_are_deleted_and_others_are_not() {
		PostgresStoreSettings settings = settings("swept", true);
		postgres.query(PostgresSchema.of("swept").creation());
		postgres.query("insert into swept select int8send(n), '', 2, '', now(), now() - interval '1 hour' "
				+ "from generate_series(1, 2 * " + Sweeper.BATCH + " + 7) n");
		try (PostgresIdempotencyStore store = new PostgresIdempotencyStore(
				PostgresConnectionSamples.factory(postgres.port(), LIMIT), settings, Duration.ofMillis(200))) {
			Awaitility.await().atMost(SOON).until(store::isServing);
			RecordId id = RecordSamples.id("kept");
			assertThat(claim(store, id)).isInstanceOf(Claim.Won.class);
			store.enter(id, OwnerToken.random(), Duration.ofMillis(1)).block();
			Awaitility.await().atMost(SOON).until(() -> "1".equals(postgres.query("select count(*) from swept")));
			assertThat(claim(store, id)).isInstanceOf(Claim.Running.class);
		}
	}

	@Test
	void a_gateway_does_not_sweep_while_another_one_does() throws Exception {
		PostgresSchema schema = PostgresSchema.of("swept_alone");
		postgres.query(schema.creation());
		try (java.sql.Connection other = postgres.connect();
				PostgresIdempotencyStore store = new PostgresIdempotencyStore(
						PostgresConnectionSamples.factory(postgres.port(), LIMIT), settings("swept_alone", true),
						Duration.ofMillis(100))) {
			other.setAutoCommit(false);
			other.createStatement().execute("select pg_advisory_xact_lock(" + schema.sweepLock() + ")");
			postgres.query("insert into swept_alone values ('a', '', 2, '', now(), now() - interval '1 hour')");
			Awaitility.await().atMost(SOON).until(store::isServing);
			Awaitility.await()
				.during(Duration.ofSeconds(1))
				.until(() -> "1".equals(postgres.query("select count(*) from swept_alone" + RECORDS)));
			other.rollback();
			Awaitility.await()
				.atMost(SOON)
				.until(() -> "0".equals(postgres.query("select count(*) from swept_alone" + RECORDS)));
		}
	}

	@Test
	void the_sweep_uses_its_index() {
		postgres.query(PostgresSchema.of("indexed").creation());
		postgres.query("insert into indexed select int8send(n), '', 2, '', now(), now() + interval '1 hour' "
				+ "from generate_series(1, 5000) n");
		postgres.query("analyze indexed");
		String sweep = new PostgresSql(PostgresSchema.of("indexed")).sweep().replace("$1", "500");
		assertThat(postgres.query("explain (format json) " + sweep)).contains("indexed_expires_at");
	}

	@Test
	void a_claim_is_one_row_of_readable_columns() {
		try (PostgresIdempotencyStore store = PostgresConnectionSamples.connected(postgres.port(),
				settings("readable", true))) {
			RecordId id = RecordSamples.id("readable");
			IdempotencyRecord claim = RecordSamples.claim(id, Duration.ofSeconds(30));
			store.claim(id, claim).block();
			assertThat(postgres.query("select encode(record_id, 'hex') from readable" + RECORDS))
				.isEqualTo(id.digest());
			assertThat(postgres.query("select state from readable" + RECORDS)).isEqualTo("1");
			assertThat(postgres.query("select lapses_at > now() + interval '20 seconds' "
					+ "and lapses_at <= now() + interval '30 seconds' from readable" + RECORDS))
				.isEqualTo("t");
			store.settle(id, RecordSamples.done(claim, "made")).block();
			assertThat(postgres.query("select state from readable" + RECORDS)).isEqualTo("2");
		}
	}

	private static PostgresStoreSettings settings(String table, boolean initialize) {
		return new PostgresStoreSettings(LIMIT, table, initialize, 4);
	}

	private static Claim claim(PostgresIdempotencyStore store, RecordId id) {
		return store.claim(id, RecordSamples.claim(id)).block();
	}

}
