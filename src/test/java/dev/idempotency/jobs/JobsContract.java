package dev.idempotency.jobs;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.JobServices;
import dev.idempotency.core.Jobs;
import dev.idempotency.testing.Arrival;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What clients see of jobs, on any store: real sockets, one gateway. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JobsContract {

	private static final String QUICK = "retry: { max-attempts: 3, backoff: 50ms, max-backoff: 100ms, budget: 1.0 }, "
			+ "circuit-breaker: { enabled: false }";

	final JobRig rig = new JobRig().route("plain", QUICK)
		.route("honours", "backend-idempotent: true, " + QUICK)
		.route("hasty", "timeout: 300ms, late-answer: 10s, " + QUICK)
		.route("cut", "timeout: 300ms, late-answer: 0s, " + QUICK)
		.route("narrow", "jobs: { concurrency: 1, max-queued: 3 }, timeout: 20s, " + QUICK)
		.route("brief", "ttl: 1s, " + QUICK)
		.route("rewritten", QUICK,
				", 'RewritePath=/rewritten/(?<rest>.*), /inner/$\\{rest}', 'AddRequestHeader=X-In, {what}'");

	/** The lines that name the store. */
	abstract String[] store();

	@BeforeAll
	void start() {
		this.rig.start(store());
	}

	@AfterAll
	void stop() {
		this.rig.close();
	}

	@Test
	void aJobIsAcceptedAtOnceAndItsResultIsTheBackendsAnswer() {
		CountDownLatch gate = new CountDownLatch(1);
		this.rig.backend.on("/plain/slow", Reply.json(201, "{\"id\":7}").header("X-Foo", "1").after(gate));
		RawResponse accepted = this.rig.gateway().send(JobRig.job("/plain/slow", "slow"));
		assertThat(accepted.status()).isEqualTo(202);
		assertThat(accepted.header("Preference-Applied")).isEqualTo("respond-async");
		assertThat(accepted.header("Idempotency-Key")).isEqualTo("slow");
		assertThat(accepted.headers("Idempotent-Replayed")).isEmpty();
		JsonNode body = JobRig.json(accepted);
		assertThat(body.path("status").stringValue()).isEqualTo("QUEUED");
		String location = accepted.header("Location");
		assertThat(location).isEqualTo("/idempotency/jobs/" + body.path("job_id").stringValue());
		this.rig.awaitStatus(location, "RUNNING");
		RawResponse running = this.rig.look(location);
		assertThat(running.header("Retry-After")).isNotNull();
		assertThat(running.header("Cache-Control")).isEqualTo("no-store");
		assertThat(this.rig.look(location + "/result").status()).isEqualTo(409);
		gate.countDown();
		JsonNode over = this.rig.awaitStatus(location, "SUCCEEDED");
		assertThat(over.path("attempts").intValue()).isOne();
		assertThat(over.path("created_at").stringValue()).isNotEmpty();
		assertThat(over.path("ended_at").stringValue()).isNotEmpty();
		assertThat(this.rig.look(location).headers("Retry-After")).isEmpty();
		RawResponse result = this.rig.look(over.path("result").stringValue());
		assertThat(result.status()).isEqualTo(201);
		assertThat(result.text()).isEqualTo("{\"id\":7}");
		assertThat(result.header("X-Foo")).isEqualTo("1");
		assertThat(result.header("Content-Type")).isEqualTo("application/json");
		assertThat(this.rig.backend.executions("/plain/slow")).isOne();
	}

	@Test
	void theSameKeyIsTheSameJobBeforeAndAfterItsEndAndAnotherBodyIsRefused() {
		String location = this.rig.submit("/plain/same", "same");
		this.rig.awaitStatus(location, "SUCCEEDED");
		RawResponse again = this.rig.gateway().send(JobRig.job("/plain/same", "same"));
		assertThat(again.status()).isEqualTo(202);
		assertThat(again.header("Location")).isEqualTo(location);
		assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(JobRig.json(again).path("status").stringValue()).isEqualTo("SUCCEEDED");
		RawResponse other = this.rig.gateway().send(JobRig.job("/plain/same", "same").body("[]"));
		assertThat(other.status()).isEqualTo(422);
		assertThat(this.rig.backend.executions("/plain/same")).isOne();
	}

	@Test
	void aSynchronousRetryOfAJobGetsItsAnswerOrIsToldThatItRuns() {
		CountDownLatch gate = new CountDownLatch(1);
		this.rig.backend.on("/plain/both", Reply.json(201, "{\"id\":8}").after(gate));
		String location = this.rig.submit("/plain/both", "both");
		this.rig.awaitStatus(location, "RUNNING");
		RawResponse meanwhile = this.rig.gateway().send(JobRig.request("/plain/both", "both"));
		assertThat(meanwhile.status()).isEqualTo(409);
		assertThat(meanwhile.text()).contains("\"code\":\"in-progress\"");
		gate.countDown();
		this.rig.awaitStatus(location, "SUCCEEDED");
		RawResponse replay = this.rig.gateway().send(JobRig.request("/plain/both", "both"));
		assertThat(replay.status()).isEqualTo(201);
		assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(this.rig.backend.executions("/plain/both")).isOne();
	}

	@Test
	void anAsynchronousRetryOfAnOrdinaryRequestGetsItsAnswer() {
		this.rig.backend.on("/plain/first-sync", Reply.json(201, "{\"id\":9}"));
		assertThat(this.rig.gateway().send(JobRig.request("/plain/first-sync", "fs")).status()).isEqualTo(201);
		RawResponse retry = this.rig.gateway().send(JobRig.job("/plain/first-sync", "fs"));
		assertThat(retry.status()).isEqualTo(201);
		assertThat(retry.header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(retry.headers("Preference-Applied")).isEmpty();
		assertThat(this.rig.backend.executions("/plain/first-sync")).isOne();
	}

	@Test
	void whoIsReadyToWaitGetsTheAnswerIfItComesInTime() {
		this.rig.backend.on("/plain/wait", Reply.json(201, "{\"id\":10}").after(Duration.ofMillis(300)));
		RawResponse answer = this.rig.gateway()
			.send(JobRig.request("/plain/wait", "wait").header("Prefer", "respond-async, wait=10"));
		assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
		assertThat(answer.text()).isEqualTo("{\"id\":10}");
		assertThat(answer.headers("Idempotent-Replayed")).isEmpty();
		assertThat(answer.headers("Preference-Applied")).containsExactly("wait=10");
		this.rig.backend.on("/plain/wait-2", Reply.json(201, "{}").after(Duration.ofSeconds(3)));
		RawResponse late = this.rig.gateway()
			.send(JobRig.request("/plain/wait-2", "wait").header("Prefer", "wait=1, respond-async"));
		assertThat(late.status()).isEqualTo(202);
		assertThat(late.headers("Preference-Applied")).anyMatch((value) -> value.contains("wait=1"));
	}

	@Test
	void whoWaitedForAFailureOfHisOwnJobIsNotToldThatItIsARepetition() {
		for (int status : new int[] { 404, 500 }) {
			String path = "/plain/wait-" + status;
			this.rig.backend.on(path, Reply.json(status, "{\"no\":1}").after(Duration.ofMillis(200)));
			RawResponse answer = this.rig.gateway()
				.send(JobRig.request(path, "wait").header("Prefer", "respond-async, wait=9"));
			assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
			assertThat(answer.text()).isEqualTo("{\"no\":1}");
			assertThat(answer.headers("Idempotent-Replayed")).isEmpty();
			assertThat(answer.headers("Idempotency-Outcome")).isEmpty();
			assertThat(answer.headers("Preference-Applied")).containsExactly("wait=9");
			RawResponse again = this.rig.gateway()
				.send(JobRig.request(path, "wait").header("Prefer", "respond-async, wait=9"));
			assertThat(again.status()).isEqualTo(status);
			assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
			assertThat(this.rig.backend.executions(path)).isOne();
		}
	}

	@Test
	void aMethodThatAJobDoesNotKnowIsRefusedWithThoseItKnows() {
		String location = this.rig.submit("/plain/methods", "methods");
		for (String method : List.of("POST", "PUT", "PATCH", "OPTIONS")) {
			for (String at : List.of(location, "/idempotency/jobs/nobodys")) {
				assertRefused(method, at, "GET, HEAD, DELETE");
				assertRefused(method, at + "/result", "GET, HEAD");
			}
		}
		assertRefused("DELETE", location + "/result", "GET, HEAD");
		this.rig.awaitStatus(location, "SUCCEEDED");
		RawResponse head = this.rig.ask("HEAD", location, "alice");
		assertThat(head.status()).isEqualTo(200);
		assertThat(head.body()).isEmpty();
	}

	private void assertRefused(String method, String at, String allowed) {
		RawResponse answer = this.rig.ask(method, at, "alice");
		assertThat(answer.status()).as(method + " " + at + " " + answer).isEqualTo(405);
		assertThat(answer.header("Allow")).isEqualTo(allowed);
		assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
		assertThat(answer.text()).contains("\"code\":\"method-not-allowed\"");
	}

	@Test
	void toAnyOtherCallerAJobIsNotThere() {
		String location = this.rig.submit("/plain/mine", "mine");
		this.rig.awaitStatus(location, "SUCCEEDED");
		for (String at : List.of(location, location + "/result", location.substring(0, location.length() - 1) + "~",
				"/idempotency/jobs/1", flipped(location))) {
			RawResponse answer = this.rig.ask("GET", at, at.equals(flipped(location)) ? "alice" : "bob");
			assertThat(answer.status()).as(at).isEqualTo(404);
			assertThat(answer.text()).contains("\"code\":\"job-unknown\"");
		}
		assertThat(this.rig.ask("DELETE", location, "bob").status()).isEqualTo(404);
		assertThat(this.rig.gateway().send(dev.idempotency.testing.RawRequest.of("GET", location)).status())
			.isEqualTo(404);
		assertThat(this.rig.look(location).status()).isEqualTo(200);
	}

	/** The same record, but another secret. */
	private static String flipped(String location) {
		char first = location.charAt("/idempotency/jobs/".length());
		return location.replaceFirst("/jobs/.", "/jobs/" + ((first == 'A') ? 'B' : 'A'));
	}

	@Test
	void aFinal4xxIsAFailureAndNoDeadLetter() {
		this.rig.backend.on("/plain/rejected", Reply.json(422, "{\"no\":1}"));
		this.rig.backend.on("/plain/forbidden", Reply.json(403, "{\"no\":2}"));
		for (String what : List.of("rejected", "forbidden")) {
			String location = this.rig.submit("/plain/" + what, what);
			this.rig.awaitStatus(location, "FAILED");
			assertThat(this.rig.look(location + "/result").text()).startsWith("{\"no\":");
			assertThat(letter(location)).isNull();
			assertThat(this.rig.backend.executions("/plain/" + what)).isOne();
		}
	}

	@Test
	void anUnknownOutcomeIsDeadAndNotRepeated() {
		this.rig.backend.on("/plain/reset", Reply.reset());
		String location = this.rig.submit("/plain/reset", "reset");
		JsonNode dead = this.rig.awaitStatus(location, "DEAD");
		assertThat(dead.path("outcome").stringValue()).isEqualTo("unknown");
		assertThat(dead.path("reason").stringValue()).isEqualTo("outcome-unknown");
		await().until(() -> letter(location) != null);
		assertThat(this.rig.look(location + "/result").text()).contains("\"code\":\"outcome-unknown\"");
		assertThat(this.rig.gateway().send(JobRig.request("/plain/reset", "reset")).text())
			.contains("\"code\":\"outcome-unknown\"");
		assertThat(this.rig.backend.executions("/plain/reset")).isOne();
	}

	@Test
	void anUnknownOutcomeIsRepeatedWhereTheBackendHonoursTheKey() {
		this.rig.backend.on("/honours/reset", Reply.reset(), Reply.json(201, "{}"));
		String location = this.rig.submit("/honours/reset", "k");
		JsonNode over = this.rig.awaitStatus(location, "SUCCEEDED");
		assertThat(over.path("attempts").intValue()).isEqualTo(2);
		assertThat(this.rig.backend.executions("/honours/reset")).isEqualTo(2);
	}

	@Test
	void attemptsThatLeaveNothingDoneAreRepeatedUntilTheyAreUsedUp() {
		this.rig.backend.on("/plain/busy", Reply.of(503), Reply.of(503), Reply.json(201, "{}"));
		assertThat(
				this.rig.awaitStatus(this.rig.submit("/plain/busy", "busy"), "SUCCEEDED").path("attempts").intValue())
			.isEqualTo(3);
		this.rig.backend.on("/plain/away", Reply.of(503));
		String location = this.rig.submit("/plain/away", "away");
		JsonNode dead = this.rig.awaitStatus(location, "DEAD");
		assertThat(dead.path("reason").stringValue()).isEqualTo("attempts-used-up");
		assertThat(dead.path("outcome").stringValue()).isEqualTo("not-applied");
		assertThat(this.rig.backend.executions("/plain/away")).isEqualTo(3);
	}

	@Test
	void anAnswerThatComesAfterTheTimeoutEndsTheJob() {
		this.rig.backend.on("/hasty/late", Reply.json(201, "{}").after(Duration.ofMillis(1200)));
		this.rig.awaitStatus(this.rig.submit("/hasty/late", "late"), "SUCCEEDED");
		assertThat(this.rig.backend.executions("/hasty/late")).isOne();
		this.rig.backend.on("/cut/hangs", Reply.hang());
		this.rig.awaitStatus(this.rig.submit("/cut/hangs", "hangs"), "DEAD");
		assertThat(this.rig.backend.executions("/cut/hangs")).isOne();
	}

	@Test
	void aQueuedJobIsCancelledAndStaysSoForItsKey() {
		CountDownLatch gate = new CountDownLatch(1);
		this.rig.backend.on("/narrow/first", Reply.json(201, "{}").after(gate));
		String first = this.rig.submit("/narrow/first", "1");
		this.rig.awaitStatus(first, "RUNNING");
		String second = this.rig.submit("/narrow/second", "2");
		assertThat(this.rig.view(second).path("status").stringValue()).isEqualTo("QUEUED");
		RawResponse gone = this.rig.ask("DELETE", second, "alice");
		assertThat(gone.status()).as(gone.toString()).isEqualTo(204);
		assertThat(this.rig.view(second).path("status").stringValue()).isEqualTo("CANCELLED");
		RawResponse tooLate = this.rig.ask("DELETE", first, "alice");
		assertThat(tooLate.status()).isEqualTo(409);
		assertThat(tooLate.text()).contains("\"code\":\"job-not-cancellable\"");
		String third = this.rig.submit("/narrow/third", "3");
		RawResponse full = this.rig.gateway().send(JobRig.job("/narrow/fourth", "4"));
		assertThat(full.status()).isEqualTo(503);
		assertThat(full.text()).contains("\"code\":\"too-busy\"", "\"outcome\":\"not-applied\"");
		assertThat(this.rig.gateway().send(JobRig.job("/narrow/third", "3")).header("Location")).isEqualTo(third);
		gate.countDown();
		this.rig.awaitStatus(third, "SUCCEEDED");
		assertThat(JobRig.json(this.rig.gateway().send(JobRig.job("/narrow/second", "2"))).path("status").stringValue())
			.isEqualTo("CANCELLED");
		assertThat(this.rig.gateway().send(JobRig.request("/narrow/second", "2")).text())
			.contains("\"code\":\"job-cancelled\"");
		assertThat(this.rig.backend.executions("/narrow/second")).isZero();
		await().until(() -> this.rig.gateway().send(JobRig.job("/narrow/fourth", "4")).status() == 202);
	}

	@Test
	void filtersBehindRunInTheAttemptAndTheRequestIsTheOneThatCame() {
		this.rig.backend.on("/inner/it", Reply.json(201, "{}"));
		RawResponse accepted = this.rig.gateway()
			.send(JobRig.request("/rewritten/it?q=%20x", "it")
				.header("Prefer", "respond-async, wait=1")
				.header("Prefer", "return=minimal")
				.header("X-Own", "a")
				.header("X-Own", "b"));
		assertThat(accepted.status()).isIn(201, 202);
		await().until(() -> this.rig.backend.executions("/inner/it") == 1);
		Arrival arrival = this.rig.backend.arrivals("/inner/it").get(0);
		assertThat(arrival.target()).isEqualTo("/inner/it?q=%20x");
		assertThat(arrival.text()).isEqualTo("{\"amount\":1}");
		assertThat(arrival.key()).isEqualTo("it");
		assertThat(arrival.header("X-In")).isEqualTo("it");
		assertThat(arrival.headers("X-Own")).containsExactly("a", "b");
		assertThat(arrival.headers("Prefer")).containsExactly("return=minimal");
	}

	@Test
	void aRedriveRunsUnderTheSameKeyAndASecondOneDoesNothing() {
		this.rig.backend.on("/plain/redriven", Reply.reset(), Reply.json(201, "{\"id\":11}"));
		String location = this.rig.submit("/plain/redriven", "redriven");
		this.rig.awaitStatus(location, "DEAD");
		await().until(() -> letter(location) != null);
		DeadLetter letter = letter(location);
		Jobs jobs = this.rig.gateway().bean(Jobs.class);
		assertThat(jobs.redrive(letter).block().done()).isTrue();
		assertThat(jobs.redrive(letter).block().done()).isFalse();
		assertThat(this.rig.awaitStatus(location, "SUCCEEDED").path("attempts").intValue()).isEqualTo(2);
		assertThat(jobs.redrive(letter).block().done()).isFalse();
		assertThat(letter(location)).isNull();
		assertThat(this.rig.gateway().send(JobRig.request("/plain/redriven", "redriven")).text())
			.isEqualTo("{\"id\":11}");
		assertThat(this.rig.backend.executions("/plain/redriven")).isEqualTo(2);
		assertThat(this.rig.backend.arrivals("/plain/redriven")).extracting(Arrival::key).containsOnly("redriven");
	}

	@Test
	void aRedriveHasAllAttemptsAnewAndGoesOnCounting() {
		this.rig.backend.on("/plain/still-away", Reply.of(503));
		String location = this.rig.submit("/plain/still-away", "still-away");
		this.rig.awaitStatus(location, "DEAD");
		await().until(() -> letter(location) != null);
		assertThat(this.rig.gateway().bean(Jobs.class).redrive(letter(location)).block().done()).isTrue();
		await().until(() -> letter(location) != null);
		assertThat(letter(location).attempts()).isEqualTo(6);
		assertThat(this.rig.view(location).path("attempts").intValue()).isEqualTo(6);
		assertThat(this.rig.backend.executions("/plain/still-away")).isEqualTo(6);
	}

	@Test
	void aResultIsKeptForItsTimeAndThenTheKeyIsNew() {
		String location = this.rig.submit("/brief/it", "brief");
		await().until(() -> this.rig.look(location).status() == 404);
		assertThat(this.rig.submit("/brief/it", "brief")).isNotEqualTo(location);
	}

	@Test
	void fiftyAtOnceWithOneKeyAreOneJob() {
		Set<String> locations = new HashSet<>();
		List<RawResponse> answers = java.util.stream.IntStream.range(0, 50)
			.parallel()
			.mapToObj((i) -> this.rig.gateway().send(JobRig.job("/plain/storm", "storm")))
			.toList();
		answers.forEach((answer) -> {
			assertThat(answer.status()).as(answer.toString()).isEqualTo(202);
			locations.add(answer.header("Location"));
		});
		assertThat(locations).hasSize(1);
		this.rig.awaitStatus(locations.iterator().next(), "SUCCEEDED");
		assertThat(this.rig.backend.executions("/plain/storm")).isOne();
		JobServices services = this.rig.gateway().bean(JobServices.class);
		await().until(() -> services.queue().size("plain").block() == 0);
	}

	private DeadLetter letter(String location) {
		return this.rig.gateway()
			.bean(DeadLetters.class)
			.find(location.substring("/idempotency/jobs/".length()))
			.block();
	}

}
