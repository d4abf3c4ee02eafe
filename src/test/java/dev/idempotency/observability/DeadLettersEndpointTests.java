package dev.idempotency.observability;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import dev.idempotency.core.Caller;
import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.Fingerprint;
import dev.idempotency.core.IdempotencyPolicy.Retention;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobId;
import dev.idempotency.core.JobOwner;
import dev.idempotency.core.JobRequest;
import dev.idempotency.core.JobServices;
import dev.idempotency.core.JobSignals;
import dev.idempotency.core.JobStatus;
import dev.idempotency.core.Jobs;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.store.memory.MemoryDeadLetters;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import dev.idempotency.store.memory.MemoryJobQueue;

import static org.assertj.core.api.Assertions.assertThat;

class DeadLettersEndpointTests {

	private static final Retention RETENTION = new Retention(Duration.ofDays(1), Duration.ofDays(1),
			Duration.ofSeconds(15));

	private final MemoryIdempotencyStore store = new MemoryIdempotencyStore(1 << 20);

	private final MemoryJobQueue queue = new MemoryJobQueue(this.store, System::nanoTime);

	private final MemoryDeadLetters letters = new MemoryDeadLetters(InstantSource.system());

	private final Jobs jobs = new Jobs(this.store,
			new JobServices(this.queue, this.letters, new JobSignals(), InstantSource.system()), System::nanoTime);

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private JobObserver observer;

	private DeadLettersEndpoint endpoint;

	@BeforeEach
	void start() {
		this.observer = new JobObserver(this.letters, InstantSource.system(), this.registry,
				VirtualTimeScheduler.create());
		this.endpoint = new DeadLettersEndpoint(this.letters, this.jobs, this.observer);
	}

	@AfterEach
	void stop() {
		this.observer.close();
		this.store.close();
	}

	@Test
	void aListHasPagesAndCanBeOfOneRoute() {
		for (int i = 0; i < 5; i++) {
			dead("a", i);
		}
		dead("b", 9);
		assertThat(this.endpoint.list(0, 2, null).block().getBody()).containsEntry("total", 6L)
			.satisfies((body) -> assertThat((List<?>) body.get("letters")).hasSize(2));
		assertThat((List<?>) this.endpoint.list(2, 2, "a").block().getBody().get("letters")).hasSize(1);
		assertThat((List<?>) this.endpoint.list(null, null, "b").block().getBody().get("letters")).hasSize(1);
		assertThat(this.endpoint.list(-1, null, null).block().getStatus()).isEqualTo(400);
		assertThat(this.endpoint.list(0, 201, null).block().getStatus()).isEqualTo(400);
	}

	@Test
	void whatIsShownHoldsNeitherKeyNorBody() {
		DeadLetter letter = dead("a", 1);
		Map<String, Object> shown = this.endpoint.show(letter.id()).block().getBody();
		assertThat(shown).containsEntry("reason", "outcome-unknown")
			.containsEntry("route", "a")
			.containsEntry("attempts", 1)
			.containsEntry("digest", letter.job().id().recordId().digest());
		assertThat(shown.toString()).doesNotContain("secret-key", "secret-body", "Bearer");
		assertThat(this.endpoint.show("nothing").block().getStatus()).isEqualTo(404);
	}

	@Test
	void aRedriveQueuesTheJobOnceAndTakesTheLetterAway() {
		DeadLetter letter = dead("a", 1);
		assertThat(this.endpoint.redrive(letter.id(), "redrive").block().getBody()).containsEntry("redriven", true)
			.containsEntry("status", JobStatus.QUEUED.name());
		WebEndpointResponse<Map<String, Object>> again = this.endpoint.redrive(letter.id(), "redrive").block();
		assertThat(again.getStatus()).isEqualTo(200);
		assertThat(again.getBody()).containsEntry("redriven", false);
		assertThat(this.queue.size("a").block()).isOne();
		assertThat(this.letters.find(letter.id()).block()).isNull();
		assertThat(this.endpoint.redrive(letter.id(), "run").block().getStatus()).isEqualTo(400);
		assertThat(this.endpoint.redrive("nothing", "redrive").block().getStatus()).isEqualTo(404);
	}

	@Test
	void aRedriveOfWhatIsDoneMeanwhileDoesNothingAndShowsTheAnswer() {
		DeadLetter letter = dead("a", 1);
		this.store
			.settle(letter.job().id().recordId(),
					letter.record()
						.settled(State.DONE, Duration.ofDays(1), 2, new StoredResponse(201, List.of(), new byte[0])))
			.block();
		assertThat(this.endpoint.redrive(letter.id(), "redrive").block().getBody()).containsEntry("redriven", false)
			.containsEntry("status", "SUCCEEDED")
			.containsEntry("answer", 201);
		assertThat(this.queue.size("a").block()).isZero();
	}

	@Test
	void aRedriveAfterTheRecordsTimeClaimsTheKeyAnew() {
		DeadLetter letter = dead("a", 1);
		this.store.forget(letter.job().id().recordId(), letter.record().owner()).block();
		assertThat(this.endpoint.redrive(letter.id(), "redrive").block().getBody()).containsEntry("redriven", true);
		assertThat(JobStatus.of(this.jobs.find(letter.job().id()).block())).isEqualTo(JobStatus.QUEUED);
	}

	@Test
	void manyAreRedrivenAtOnceAndOneIsDiscarded() {
		DeadLetter kept = dead("b", 1);
		dead("a", 1);
		dead("a", 2);
		assertThat(this.endpoint.redriveMany("redrive", "a").block().getBody()).containsEntry("redriven", 2L);
		assertThat(this.registry.get("idempotency.dead_letters").gauge().value()).isEqualTo(1);
		assertThat(this.endpoint.discard(kept.id(), "known").block().getStatus()).isEqualTo(200);
		assertThat(this.endpoint.discard(kept.id(), "known").block().getStatus()).isEqualTo(404);
		assertThat(this.registry.get("idempotency.dead_letters").gauge().value()).isZero();
	}

	@Test
	void nothingIsDiscardedWithoutAReason() {
		DeadLetter letter = dead("a", 1);
		for (String reason : new String[] { null, "", " " }) {
			WebEndpointResponse<Map<String, Object>> answer = this.endpoint.discard(letter.id(), reason).block();
			assertThat(answer.getStatus()).isEqualTo(400);
			assertThat(answer.getBody().get("error").toString()).contains("reason");
		}
		assertThat(this.letters.find(letter.id()).block()).isNotNull();
	}

	@Test
	void aLetterAboutACallbackTellsOfThePosts() {
		DeadLetter letter = dead("a", 1);
		this.letters.put(DeadLetter.ofCallback(Instant.now(),
				letter.record().withResponse(new StoredResponse(201, List.of(), new byte[0])), 8, "it answered 500"))
			.block();
		assertThat(this.endpoint.show(letter.id() + ".callback").block().getBody())
			.containsEntry("reason", "callback-failed")
			.containsEntry("attempts", 8)
			.containsEntry("lastOutcome", "it answered 500")
			.doesNotContainKey("lastStatus");
		assertThat(this.endpoint.show(letter.id()).block().getBody()).containsEntry("attempts", 1)
			.containsEntry("lastOutcome", "broken");
	}

	@Test
	void aRequestThatCannotBeReadIsNotSentAndThatIsSaid() {
		DeadLetter letter = dead("a", 1);
		dead("a", 2);
		this.letters.put(letter.withRecord(letter.record().withJob(letter.job().withRequest(null)))).block();
		assertThat(this.endpoint.show(letter.id()).block().getBody()).containsEntry("unreadable", true);
		WebEndpointResponse<Map<String, Object>> answer = this.endpoint.redrive(letter.id(), "redrive").block();
		assertThat(answer.getStatus()).isEqualTo(409);
		assertThat(answer.getBody()).containsEntry("redriven", false);
		assertThat(answer.getBody().get("error").toString()).contains("decrypted");
		assertThat(this.endpoint.redriveMany("redrive", "a").block().getBody()).containsEntry("redriven", 1L)
			.containsEntry("unreadable", 1L);
		assertThat(this.letters.find(letter.id()).block()).isNotNull();
		assertThat(this.queue.size("a").block()).isOne();
	}

	@Test
	void aLetterWhoseKeyBelongsToAnotherOperationByNowIsNotRedrivenAndStays() {
		DeadLetter letter = dead("a", 1);
		this.store.forget(letter.job().id().recordId(), letter.record().owner()).block();
		dead("a", 1);
		WebEndpointResponse<Map<String, Object>> answer = this.endpoint.redrive(letter.id(), "redrive").block();
		assertThat(answer.getStatus()).isEqualTo(409);
		assertThat(answer.getBody().get("error").toString()).contains("another operation");
		assertThat(this.letters.find(letter.id()).block()).isNotNull();
	}

	@Test
	void whatIsCountedOfJobsIsThereBeforeTheFirstOne() {
		this.observer.serving("a");
		for (String status : List.of("queued", "succeeded", "failed", "dead", "cancelled")) {
			assertThat(this.registry.get("idempotency.jobs").tags("route", "a", "status", status).counter().count())
				.isZero();
		}
		for (String result : List.of("posted", "failed")) {
			assertThat(
					this.registry.get("idempotency.callbacks").tags("route", "a", "result", result).counter().count())
				.isZero();
		}
		assertThat(this.registry.find("idempotency.jobs").tags("status", "running").counter()).isNull();
	}

	private DeadLetter dead(String route, int number) {
		RecordId id = RecordId.of(List.of(route, Integer.toString(number)));
		JobId name = JobId.random(id);
		JobRequest request = new JobRequest("POST", "http://a/b",
				List.of(new StoredResponse.Header("Authorization", "Bearer x")), "secret-body".getBytes(), null,
				Map.of(), "secret-key");
		Instant time = Instant.now().minusSeconds(number);
		Job job = new Job(name, route, JobOwner.of(new Caller("principal", "alice"), name), time, time, time, "broken",
				Job.Death.OUTCOME_UNKNOWN, null, request, 0);
		IdempotencyRecord record = IdempotencyRecord
			.queued(id, new Fingerprint(1, new byte[32], new byte[32]), RETENTION, job)
			.settled(State.UNKNOWN, Duration.ofDays(1), 1, null);
		this.store.settle(id, record).block();
		DeadLetter letter = DeadLetter.ofJob(time, record);
		this.letters.put(letter).block();
		return letter;
	}

}
