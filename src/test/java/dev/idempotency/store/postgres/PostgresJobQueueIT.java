package dev.idempotency.store.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Claim;
import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobId;
import dev.idempotency.core.JobQueue;
import dev.idempotency.core.JobQueue.Submission;
import dev.idempotency.core.JobQueue.Taken;
import dev.idempotency.core.JobTicket;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.JobQueueContract;
import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.PostgresSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Queues and dead letters in PostgreSQL keep the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresJobQueueIT extends JobQueueContract {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final Duration LONG = Duration.ofMinutes(1);

	private PostgresServer postgres;

	private PostgresIdempotencyStore store;

	PostgresSource source() {
		return PostgresSource.first();
	}

	@BeforeAll
	void connect() {
		this.postgres = PostgresServer.start(source());
		this.store = PostgresConnectionSamples.connected(this.postgres.port(), PostgresConnectionSamples.PATIENT);
	}

	@AfterAll
	void close() {
		this.store.close();
		this.postgres.close();
	}

	@Override
	protected IdempotencyStore store() {
		return this.store;
	}

	@Override
	protected JobQueue queue() {
		return this.store.jobs();
	}

	@Override
	protected DeadLetters letters() {
		return this.store.deadLetters();
	}

	@Test
	void ofManyThatSubmitOneKeyAtOnceOneHasTheJobAndOneTicketIsThere() {
		String route = "storm-" + UUID.randomUUID();
		RecordId id = RecordId.of(List.of(route));
		List<Submission> answers = Flux.range(0, 60)
			.flatMap((number) -> queue().submit(id, job(id, route), 100), 60)
			.collectList()
			.block();
		assertThat(answers).hasSize(60).allMatch(Submission.Answered.class::isInstance);
		assertThat(answers).filteredOn((answer) -> ((Submission.Answered) answer).claim() instanceof Claim.Won)
			.hasSize(1);
		assertThat(queue().size(route).block()).isOne();
	}

	@Test
	void aClaimThatCannotHaveItsTicketIsNotMade() {
		String route = "no-ticket-" + UUID.randomUUID();
		RecordId id = RecordId.of(List.of(route));
		this.postgres
			.query("alter table idempotency_record_tickets add constraint none check (queue not like 'no-ticket-%')");
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> queue().submit(id, job(id, route), 10).block());
		this.postgres.query("alter table idempotency_record_tickets drop constraint none");
		assertThat(PostgresRows.count(this.postgres, id)).isZero();
		assertThat(this.store.withdrawnClaims()).isZero();
	}

	@Test
	void aTicketIsTakenByOneOfManyWorkers() {
		String route = "many-" + UUID.randomUUID();
		Flux.range(0, 200).flatMap((number) -> queue().offer(route, ticket(), Duration.ZERO), 10).then().block();
		List<Taken> taken = Flux.range(0, 40).flatMap((worker) -> takeUntilEmpty(route), 40).collectList().block();
		Set<String> handles = new HashSet<>();
		taken.forEach((one) -> assertThat(handles.add(one.handle())).as(one.toString()).isTrue());
		assertThat(handles).hasSize(200);
	}

	@Test
	void theOldestIsTakenFirst() {
		String route = "order-" + UUID.randomUUID();
		List<JobTicket> tickets = IntStream.range(0, 20).mapToObj((number) -> ticket()).toList();
		tickets.forEach((ticket) -> queue().offer(route, ticket, Duration.ZERO).block());
		assertThat(queue().take(route, 7, LONG).block()).extracting(Taken::ticket)
			.containsExactlyElementsOf(tickets.subList(0, 7));
	}

	@Test
	void whoComesLateWithATicketDoesNotThrowAwayWhatWasPutBackInItsPlace() {
		String route = "late-" + UUID.randomUUID();
		queue().offer(route, ticket(), Duration.ZERO).block();
		Taken taken = queue().take(route, 1, Duration.ZERO).block().get(0);
		Taken again = queue().take(route, 1, Duration.ZERO).block().get(0);
		queue().putBack(route, taken, taken.ticket().triedAgain(), Duration.ZERO).block();
		queue().dispose(route, again).block();
		assertThat(queue().size(route).block()).isOne();
	}

	@Test
	void aClaimElsewhereThatIsLostLeavesItsTicket() {
		String route = "lost-" + UUID.randomUUID();
		RecordId id = RecordId.of(List.of(route));
		IdempotencyStore lost = new dev.idempotency.testing.ForwardingStore(this.store) {
			@Override
			public Mono<Claim> claim(RecordId which, IdempotencyRecord claim) {
				return Mono.error(new StoreUnavailableException("lost", null));
			}
		};
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> this.store.jobs(lost).submit(id, job(id, route), 10).block());
		assertThat(queue().size(route).block()).isOne();
	}

	@Test
	void takingUsesItsIndex() {
		this.postgres.query("insert into idempotency_record_tickets (queue, due_at, ticket) "
				+ "select 'indexed-' || n % 50, now(), '' from generate_series(1, 20000) n");
		this.postgres.query("analyze idempotency_record_tickets");
		assertThat(this.postgres.query("explain (format json) select ticket_id from idempotency_record_tickets "
				+ "where queue = 'indexed-7' and due_at <= statement_timestamp() order by due_at, ticket_id limit 10"))
			.contains("idempotency_record_tickets_due_at")
			.doesNotContain("Sort");
		this.postgres.query("delete from idempotency_record_tickets where queue like 'indexed-%'");
	}

	@Test
	void lettersComeByPagesTheNewestFirst() {
		String route = "paged-" + UUID.randomUUID();
		Instant noon = Instant.ofEpochMilli(System.currentTimeMillis()).minusSeconds(3600);
		for (int number = 0; number < 5; number++) {
			RecordId id = RecordId.of(List.of(route, String.valueOf(number)));
			letters().put(DeadLetter.ofJob(noon.plusSeconds(number), job(id, route))).block();
		}
		DeadLetters.Page page = letters().list(route, 1, 2).block();
		assertThat(page.total()).isEqualTo(5);
		assertThat(page.letters()).extracting(DeadLetter::time)
			.containsExactly(noon.plusSeconds(3), noon.plusSeconds(2));
		assertThat(letters().list(route, 5, 2).block()).isEqualTo(new DeadLetters.Page(5, List.of()));
		assertThat(letters().summary().block().oldest()).isBeforeOrEqualTo(noon);
		assertThat(letters().list(null, 0, 100).block().total()).isGreaterThanOrEqualTo(5);
	}

	@Test
	void aLetterWhoseTimeIsOverIsNeitherSeenNorKept() {
		String route = "old-" + UUID.randomUUID();
		RecordId id = RecordId.of(List.of(route));
		DeadLetter old = DeadLetter.ofJob(Instant.now().minus(DeadLetters.RETENTION).minusSeconds(60), job(id, route));
		letters().put(old).block();
		assertThat(letters().find(old.id()).block()).isNull();
		assertThat(letters().list(route, 0, 10).block().total()).isZero();
		try (PostgresIdempotencyStore sweeping = new PostgresIdempotencyStore(
				PostgresConnectionSamples.factory(this.postgres.port(), SOON), PostgresConnectionSamples.PATIENT,
				Duration.ofMillis(200))) {
			Awaitility.await()
				.atMost(SOON)
				.until(() -> "0".equals(this.postgres
					.query("select count(*) from idempotency_record_letters where route = '" + route + "'")));
			assertThat(sweeping.isServing()).isTrue();
		}
	}

	private Flux<Taken> takeUntilEmpty(String route) {
		return queue().take(route, 3, LONG)
			.expand((taken) -> taken.isEmpty() ? Mono.empty() : queue().take(route, 3, LONG))
			.flatMapIterable((taken) -> taken);
	}

	private static JobTicket ticket() {
		return new JobTicket(JobId.random(RecordId.of(List.of(UUID.randomUUID().toString()))), 0,
				Instant.ofEpochMilli(1_700_000_000_000L));
	}

}
