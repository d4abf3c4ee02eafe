package dev.idempotency.jobs;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;

/** A job in doubt whose backend can be asked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReconciledJobsIT {

	private final ScriptedBackend ledger = ScriptedBackend.start();

	private final JobRig rig = new JobRig().route("asked",
			"unknown: reconcile, reconcile: { uri: '" + this.ledger.uri()
					+ "/ledger/{key}', settle-after: 500ms }, retry: { max-attempts: 2, backoff: 50ms, budget: 1.0 }, "
					+ "circuit-breaker: { enabled: false }");

	@BeforeAll
	void start() {
		this.rig.start();
	}

	@AfterAll
	void stop() {
		this.rig.close();
		this.ledger.close();
	}

	@Test
	void whatWasAppliedEndsTheJobWithTheAnswerToTheQuestion() {
		this.rig.backend.on("/asked/done", Reply.reset());
		this.ledger.on("/ledger/done", Reply.json(200, "{\"id\":7}"));
		String location = this.rig.submit("/asked/done", "done");
		this.rig.awaitStatus(location, "SUCCEEDED");
		assertThat(this.rig.look(location + "/result").text()).isEqualTo("{\"id\":7}");
		assertThat(this.rig.backend.executions("/asked/done")).isOne();
	}

	@Test
	void whatWasNotAppliedIsSentAgain() {
		this.rig.backend.on("/asked/lost", Reply.reset(), Reply.json(201, "{\"id\":8}"));
		this.ledger.on("/ledger/lost", Reply.of(404));
		String location = this.rig.submit("/asked/lost", "lost");
		JsonNode over = this.rig.awaitStatus(location, "SUCCEEDED");
		assertThat(over.path("attempts").intValue()).isEqualTo(2);
		assertThat(this.rig.look(location + "/result").text()).isEqualTo("{\"id\":8}");
		assertThat(this.rig.backend.executions("/asked/lost")).isEqualTo(2);
	}

	@Test
	void whatIsNeverAppliedIsADeadLetterWhenItsAttemptsAreUsedUp() {
		this.rig.backend.on("/asked/never", Reply.reset());
		this.ledger.on("/ledger/never", Reply.of(404));
		String location = this.rig.submit("/asked/never", "never");
		JsonNode dead = this.rig.awaitStatus(location, "DEAD");
		assertThat(dead.path("reason").stringValue()).isEqualTo("attempts-used-up");
		assertThat(this.rig.backend.executions("/asked/never")).isEqualTo(2);
		org.awaitility.Awaitility.await()
			.until(() -> this.rig.gateway()
				.bean(DeadLetters.class)
				.find(location.substring("/idempotency/jobs/".length()))
				.block() != null);
	}

}
