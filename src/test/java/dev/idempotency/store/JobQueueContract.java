package dev.idempotency.store;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.idempotency.core.Caller;
import dev.idempotency.core.Claim;
import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyPolicy.Retention;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobId;
import dev.idempotency.core.JobOwner;
import dev.idempotency.core.JobQueue;
import dev.idempotency.core.JobQueue.Submission;
import dev.idempotency.core.JobQueue.Taken;
import dev.idempotency.core.JobRequest;
import dev.idempotency.core.JobTicket;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse.Header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a queue of jobs and its dead letters promise, whatever keeps them. */
public abstract class JobQueueContract {

	private static final Duration LONG = Duration.ofMinutes(1);

	private static final Duration SHORT = Duration.ofMillis(200);

	private static final Retention RETENTION = new Retention(Duration.ofDays(1), Duration.ofDays(1),
			Duration.ofSeconds(15));

	private String route = "";

	@BeforeEach
	void aQueueOfItsOwn() {
		this.route = "route-" + UUID.randomUUID();
	}

	protected abstract IdempotencyStore store();

	protected abstract JobQueue queue();

	protected abstract DeadLetters letters();

	@Test
	void aSubmissionClaimsTheKeyAndIsTakenOnce() {
		IdempotencyRecord job = submitted(10);
		assertThat(take(10, LONG)).extracting((taken) -> taken.ticket().job()).containsExactly(job.job().id());
		assertThat(take(10, LONG)).isEmpty();
		assertThat(this.store().find(job.job().id().recordId()).block()).isInstanceOf(Claim.AtRest.class);
	}

	@Test
	void aSecondSubmissionMeetsTheFirstAndLeavesNoTicketThatCounts() {
		IdempotencyRecord job = submitted(10);
		IdempotencyRecord other = job(id(job));
		Submission again = queue().submit(id(job), other, 10).block();
		assertThat(((Submission.Answered) again).claim().recordIfAny().job().id()).isEqualTo(job.job().id());
		assertThat(take(10, LONG)).extracting((taken) -> taken.ticket().job()).containsExactly(job.job().id());
	}

	@Test
	void aFullQueueClaimsNothing() {
		submitted(2);
		submitted(2);
		RecordId id = RecordId.of(List.of(UUID.randomUUID().toString()));
		assertThat(queue().submit(id, job(id), 2).block()).isInstanceOf(Submission.Full.class);
		assertThat(store().find(id).block()).isNull();
	}

	@Test
	void aTicketNobodyDisposesOfComesAgainAndADisposedOneDoesNot() {
		submitted(10);
		Taken taken = take(1, SHORT).get(0);
		await().until(() -> !take(1, SHORT).isEmpty());
		queue().dispose(this.route, taken).block();
		assertThat(queue().size(this.route).block()).isZero();
		assertThat(take(1, Duration.ofMillis(1))).isEmpty();
	}

	@Test
	protected void aTicketThatIsPutBackComesWhenItIsDueAndCountsMeanwhile() {
		submitted(10);
		Taken taken = take(1, LONG).get(0);
		queue().putBack(this.route, taken, taken.ticket().triedAgain(), Duration.ofMillis(300)).block();
		assertThat(take(1, LONG)).isEmpty();
		assertThat(queue().size(this.route).block()).isOne();
		await().until(() -> take(1, LONG).stream().anyMatch((again) -> again.ticket().tries() == 1));
	}

	@Test
	void whatWasDisposedOfIsNotPutBack() {
		submitted(10);
		Taken taken = take(1, LONG).get(0);
		queue().dispose(this.route, taken).block();
		queue().putBack(this.route, taken, taken.ticket(), Duration.ZERO).block();
		assertThat(queue().size(this.route).block()).isZero();
	}

	@Test
	void anOfferedTicketKeepsWhatItSays() {
		JobTicket ticket = new JobTicket(JobId.random(RecordId.of(List.of("x"))), 4, now());
		queue().offer(this.route, ticket, Duration.ZERO).block();
		assertThat(take(1, LONG)).extracting(Taken::ticket).containsExactly(ticket);
	}

	@Test
	void noLetterHasANameThatNothingCanHave() {
		for (String name : List.of("", "\0", "%", "\uD800", "a".repeat(5000))) {
			assertThat(letters().find(name).block()).isNull();
			assertThat(letters().list(name, 0, 10).block().letters()).isEmpty();
		}
	}

	@Test
	void aLetterIsKeptListedAndRemovedUnlessItIsNewer() {
		RecordId id = RecordId.of(List.of(UUID.randomUUID().toString()));
		DeadLetter letter = DeadLetter.ofJob(now(), job(id));
		DeadLetter newer = DeadLetter.ofJob(now().plusSeconds(5), letter.record());
		letters().put(letter).block();
		letters().put(newer).block();
		assertThat(letters().list(this.route, 0, 10).block().total()).isOne();
		assertThat(letters().list(this.route, 0, 10).block().letters()).extracting(DeadLetter::time)
			.containsExactly(newer.time());
		assertThat(letters().list("other", 0, 10).block().letters()).isEmpty();
		assertThat(letters().find(letter.id()).block().job().request().body()).isEqualTo(letter.job().request().body());
		assertThat(letters().remove(letter).block()).isFalse();
		assertThat(letters().summary().block().count()).isPositive();
		assertThat(letters().remove(newer).block()).isTrue();
		assertThat(letters().find(letter.id()).block()).isNull();
	}

	private List<Taken> take(int atMost, Duration hold) {
		return queue().take(this.route, atMost, hold).block();
	}

	private IdempotencyRecord submitted(int limit) {
		RecordId id = RecordId.of(List.of(UUID.randomUUID().toString()));
		IdempotencyRecord job = job(id);
		assertThat(((Submission.Answered) queue().submit(id, job, limit).block()).claim())
			.isInstanceOf(Claim.Won.class);
		return job;
	}

	private static RecordId id(IdempotencyRecord record) {
		return new RecordId(record.job().id().recordId().digest(), record.identityCheck());
	}

	private IdempotencyRecord job(RecordId id) {
		return job(id, this.route);
	}

	/** A queued job of a route. */
	protected static IdempotencyRecord job(RecordId id, String route) {
		JobId job = JobId.random(id);
		JobRequest request = new JobRequest("POST", "http://a/b?c", List.of(new Header("X-A", "1")),
				new byte[] { 1, 2 }, "127.0.0.1 1", Map.of("what", "b"), "k");
		return IdempotencyRecord.queued(id, RecordSamples.claim(id).fingerprint(), RETENTION, Job.accepted(job, route,
				JobOwner.of(new Caller("header:x", "alice"), job), now(), "https://h/", request));
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

}
