package dev.idempotency.upstream;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Attempts that outlive their timeout. */
@ExtendWith(NettyLeaks.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LateAnswersIT {

	private static final String PATIENT = "timeout: 200ms, late-answer: 30s, retry: { max-attempts: 1 }";

	private final ScriptedBackend backend = ScriptedBackend.start();

	private RunningGateway gateway;

	@BeforeAll
	void start() {
		this.gateway = RunningGateway.start(new Routes().route("late", this.backend.uri(), PATIENT)
			.route("short", this.backend.uri(), "timeout: 200ms, late-answer: 100ms, retry: { max-attempts: 1 }")
			.route("few", this.backend.uri(), PATIENT + ", late-answer-max: 1")
			.route("small", this.backend.uri(), PATIENT + ", max-response-size: 10B")
			.route("busy", this.backend.uri(), PATIENT + ", max-in-flight: 1")
			.route("several", this.backend.uri(),
					"timeout: 200ms, deadline: 20s, late-answer: 30s, backend-idempotent: true, "
							+ "retry: { max-attempts: 2, backoff: 10ms, jitter: 0 }")
			.yaml());
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.backend.close();
	}

	@Test
	void areRecordedAndReplayed() {
		CountDownLatch gate = new CountDownLatch(1);
		this.backend.on("/late/a", Reply.json(201, "{\"id\":7}").after(gate));
		assertThat(send("/late/a").text()).contains("upstream-timeout");
		assertThat(send("/late/a").text()).contains("in-progress");
		gate.countDown();
		RawResponse replay = onceSettled("/late/a");
		assertThat(replay.text()).isEqualTo("{\"id\":7}");
		assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(this.backend.executions("/late/a")).isEqualTo(1);
		assertThat(state("late").count("idempotency.late_answers")).isPositive();
		state("late").awaitRest();
	}

	@Test
	void thatNeverComeLeaveTheOutcomeUnknown() {
		this.backend.on("/short/a", Reply.hang());
		assertThat(send("/short/a").text()).contains("upstream-timeout");
		assertThat(onceSettled("/short/a").text()).contains("outcome-unknown");
		state("short").awaitRest();
	}

	@Test
	void thatRefuseDoNotFreeTheKey() {
		for (int status : new int[] { 429, 503 }) {
			CountDownLatch gate = new CountDownLatch(1);
			String path = "/late/" + status;
			this.backend.on(path, Reply.of(status).after(gate));
			assertThat(send(path).text()).contains("upstream-timeout");
			gate.countDown();
			assertThat(onceSettled(path).text()).contains("outcome-unknown");
			assertThat(this.backend.executions(path)).isEqualTo(1);
		}
		state("late").awaitRest();
	}

	@Test
	void thatFailAreShownButRemainUnknown() {
		CountDownLatch gate = new CountDownLatch(1);
		this.backend.on("/late/500", Reply.json(500, "{\"trace\":1}").after(gate));
		assertThat(send("/late/500").text()).contains("upstream-timeout");
		gate.countDown();
		RawResponse replay = onceSettled("/late/500");
		assertThat(replay.status()).isEqualTo(500);
		assertThat(replay.text()).isEqualTo("{\"trace\":1}");
		assertThat(replay.header("Idempotency-Outcome")).isEqualTo("unknown");
		state("late").awaitRest();
	}

	@Test
	void thatBreakOffLeaveTheOutcomeUnknown() {
		CountDownLatch gate = new CountDownLatch(1);
		this.backend.on("/late/cut", Reply.json(201, "{\"id\":7}").cutAfter(3).after(gate));
		assertThat(send("/late/cut").text()).contains("upstream-timeout");
		gate.countDown();
		assertThat(onceSettled("/late/cut").text()).contains("outcome-unknown");
		state("late").awaitRest();
	}

	@Test
	void thatAreTooLargeLeaveATombstone() {
		CountDownLatch gate = new CountDownLatch(1);
		this.backend.on("/small/a", Reply.of(201).body(new byte[100_000]).after(gate));
		assertThat(send("/small/a").text()).contains("upstream-timeout");
		gate.countDown();
		assertThat(onceSettled("/small/a").text()).contains("replay-unavailable", "\"applied\"");
		state("small").awaitRest();
	}

	@Test
	void areBounded() {
		CountDownLatch gate = new CountDownLatch(1);
		this.backend.on("/few/a", Reply.of(201).after(gate));
		this.backend.on("/few/b", Reply.of(201).after(gate));
		assertThat(send("/few/a").text()).contains("upstream-timeout");
		assertThat(send("/few/b").text()).contains("upstream-timeout");
		assertThat(send("/few/a").text()).contains("in-progress");
		assertThat(onceSettled("/few/b").text()).contains("outcome-unknown");
		gate.countDown();
		assertThat(onceSettled("/few/a").status()).isEqualTo(201);
		state("few").awaitRest();
	}

	@Test
	void doNotCountAsInFlight() {
		CountDownLatch gate = new CountDownLatch(1);
		this.backend.on("/busy/a", Reply.of(201).after(gate));
		assertThat(send("/busy/a").text()).contains("upstream-timeout");
		assertThat(send("/busy/b").status()).isEqualTo(200);
		gate.countDown();
		assertThat(onceSettled("/busy/a").status()).isEqualTo(201);
		state("busy").awaitRest();
	}

	@Test
	void theFirstOneThatIsDoneWinsAndLaterOnesAreCounted() {
		CountDownLatch first = new CountDownLatch(1);
		CountDownLatch second = new CountDownLatch(1);
		this.backend.on("/several/a", Reply.json(201, "1").after(first), Reply.json(201, "2").after(second));
		CompletableFuture<RawResponse> answer = CompletableFuture.supplyAsync(() -> send("/several/a"));
		this.backend.awaitExecutions("/several/a", 2);
		first.countDown();
		assertThat(answer.join().text()).satisfiesAnyOf((text) -> assertThat(text).isEqualTo("1"),
				(text) -> assertThat(text).contains("upstream-timeout"));
		assertThat(onceSettled("/several/a").text()).isEqualTo("1");
		double counted = state("several").count("idempotency.late_answers");
		second.countDown();
		await().until(() -> state("several").count("idempotency.late_answers") > counted);
		assertThat(onceSettled("/several/a").text()).isEqualTo("1");
		state("several").awaitRest();
	}

	@Test
	void ofABackendThatSaysItStillRunsAreNoAnswers() {
		CountDownLatch first = new CountDownLatch(1);
		CountDownLatch second = new CountDownLatch(1);
		this.backend.on("/several/b", Reply.json(201, "{\"id\":1}").after(first),
				Reply.json(409, "{\"busy\":true}").after(second));
		CompletableFuture<RawResponse> answer = CompletableFuture.supplyAsync(() -> send("/several/b"));
		this.backend.awaitExecutions("/several/b", 2);
		assertThat(answer.join().text()).contains("upstream-timeout");
		second.countDown();
		first.countDown();
		assertThat(onceSettled("/several/b").text()).isEqualTo("{\"id\":1}");
		state("several").awaitRest();
	}

	private RouteState state(String route) {
		return new RouteState(this.gateway, route);
	}

	private RawResponse send(String path) {
		return this.gateway.send(RawRequest.post(path, "{\"amount\":1}").key(path.replace('/', '-')));
	}

	private RawResponse onceSettled(String path) {
		return await().until(() -> send(path), (answer) -> !answer.text().contains("in-progress"));
	}

}
