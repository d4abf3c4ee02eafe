package dev.idempotency.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.TroubledStore.Step;

import static dev.idempotency.core.EngineRig.BODY;
import static dev.idempotency.core.EngineRig.CREATED;
import static dev.idempotency.core.EngineRig.DONE;
import static dev.idempotency.core.EngineRig.ID;
import static org.assertj.core.api.Assertions.assertThat;

/** Defects of what the engine works with leave nothing behind. */
class DefectTests {

	private static final RuntimeException DEFECT = new IllegalStateException("defect");

	private final EngineRig rig = new EngineRig(PolicySample.hold());

	@AfterEach
	void close() {
		this.rig.assertNothingLeft();
		this.rig.close();
	}

	@Test
	void a_backend_side_that_throws_leaves_the_outcome_unknown() {
		Answer answer = this.rig.answer((lease) -> {
			throw DEFECT;
		});
		EngineRig.assertRefused(answer, Problem.UPSTREAM_FAILED, Effect.UNKNOWN, false);
		this.rig.assertUnknown();
		assertThat(this.rig.events.defects).containsExactly(DEFECT);
	}

	@Test
	void a_backend_side_that_fails_leaves_the_outcome_unknown() {
		this.rig.answer(ScriptedUpstream.ending(Mono.error(DEFECT)));
		this.rig.assertUnknown();
	}

	@Test
	void a_backend_side_that_says_nothing_leaves_the_outcome_unknown() {
		Answer answer = this.rig.answer(ScriptedUpstream.ending(Mono.empty()));
		EngineRig.assertRefused(answer, Problem.UPSTREAM_FAILED, Effect.UNKNOWN, false);
		this.rig.assertUnknown();
	}

	@Test
	void a_store_that_breaks_at_the_claim_runs_nothing() {
		this.rig.store.fail(Step.CLAIM, DEFECT);
		assertNothingRuns();
	}

	@Test
	void a_store_that_throws_at_the_claim_runs_nothing() {
		this.rig.store.throwAt(Step.CLAIM, DEFECT);
		assertNothingRuns();
	}

	@Test
	void a_store_that_says_nothing_to_a_claim_runs_nothing() {
		this.rig.store.trouble(Step.CLAIM, (real) -> Mono.empty());
		assertNothingRuns();
	}

	private void assertNothingRuns() {
		ScriptedUpstream backend = ScriptedUpstream.ending(DONE);
		EngineRig.assertRefused(this.rig.answer(backend), Problem.STORE_UNAVAILABLE, Effect.UNKNOWN, true);
		assertThat(backend.calls()).isZero();
	}

	@Test
	void a_listener_that_throws_does_not_change_what_happens() {
		IdempotencyEngine engine = new IdempotencyEngine(PolicySample.hold(), this.rig.services, new Loud());
		CompletableFuture<Answer> answer = engine
			.handle(new KeyedRequest(ID, BODY, Duration.ZERO), ScriptedUpstream.ending(DONE))
			.toFuture();
		assertThat(EngineRig.now(answer)).isEqualTo(new Answer.Fresh(CREATED));
		this.rig.assertDone(CREATED);
	}

	@Test
	void a_listener_that_throws_does_not_lose_a_late_answer() {
		IdempotencyEngine engine = new IdempotencyEngine(PolicySample.hold(), this.rig.services, new Loud());
		engine
			.handle(new KeyedRequest(ID, BODY, Duration.ZERO),
					ScriptedUpstream.ending(new Outcome.Unknown(1, Reason.TIMEOUT, null, null, Mono.just(DONE))))
			.toFuture();
		this.rig.assertDone(CREATED);
	}

	@Test
	void a_listener_that_throws_does_not_keep_a_write_from_being_tried_again() {
		IdempotencyEngine engine = new IdempotencyEngine(PolicySample.hold(), this.rig.services, new Loud());
		this.rig.store.unavailable(Step.SETTLE);
		engine.handle(new KeyedRequest(ID, BODY, Duration.ZERO), ScriptedUpstream.ending(DONE)).toFuture();
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(Duration.ofSeconds(5));
		this.rig.assertDone(CREATED);
	}

	private static final class Loud implements EngineEvents {

		@Override
		public void ended(RecordId id, Outcome outcome) {
			throw DEFECT;
		}

		@Override
		public void lateAnswer(RecordId id, Outcome outcome) {
			throw DEFECT;
		}

		@Override
		public void settleFailed(RecordId id) {
			throw DEFECT;
		}

	}

}
