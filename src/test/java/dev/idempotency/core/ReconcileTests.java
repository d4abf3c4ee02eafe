package dev.idempotency.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.IdempotencyPolicy.StoreFailure;
import dev.idempotency.core.IdempotencyPolicy.UnknownHandling;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.TroubledStore.Step;
import dev.idempotency.core.Upstream.Verdict;
import dev.idempotency.core.Upstream.Verdict.Kind;

import static dev.idempotency.core.EngineRig.CREATED;
import static dev.idempotency.core.EngineRig.DONE;
import static org.assertj.core.api.Assertions.assertThat;

/** A retry of an unknown outcome where the backend can be asked. */
class ReconcileTests {

	private final ScriptedUpstream backend = ScriptedUpstream.ending(DONE);

	private EngineRig rig = new EngineRig(PolicySample.of(UnknownHandling.RECONCILE, StoreFailure.REJECT));

	@AfterEach
	void close() {
		this.rig.assertNothingLeft();
		this.rig.close();
	}

	@Test
	void applied_is_recorded_and_replayed() {
		this.rig.foreign(State.UNKNOWN, null);
		Answer answer = this.rig.answer(this.backend.saying(Kind.APPLIED, CREATED));
		assertThat(answer).isEqualTo(new Answer.Replay(CREATED, false));
		this.rig.assertDone(CREATED);
		assertThat(this.backend.calls()).isZero();
	}

	@Test
	void applied_without_an_answer_to_keep_says_that_there_is_none() {
		this.rig.foreign(State.UNKNOWN, null);
		Answer answer = this.rig.answer(this.backend.saying(Kind.APPLIED, null));
		EngineRig.assertRefused(answer, Problem.REPLAY_UNAVAILABLE, Effect.APPLIED, false);
	}

	@Test
	void not_applied_runs_once_under_a_claim_without_doubt() {
		this.rig.foreign(State.UNKNOWN, null);
		Answer answer = this.rig.answer(this.backend.saying(Kind.NOT_APPLIED, null));
		assertThat(answer).isEqualTo(new Answer.Fresh(CREATED));
		assertThat(this.backend.leases).singleElement().matches((lease) -> !lease.isTainted());
		this.rig.assertDone(CREATED);
	}

	@Test
	void not_applied_runs_only_if_the_record_still_is_the_one_that_was_asked_about() {
		this.rig.foreign(State.UNKNOWN, null);
		Sinks.One<Verdict> word = Sinks.one();
		CompletableFuture<Answer> answer = this.rig.send(this.backend.saying(word.asMono()));
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) this.rig.found();
		IdempotencyRecord other = IdempotencyRecord.claim(EngineRig.ID, EngineRig.BODY, PolicySample.RETENTION);
		this.rig.memory.takeOver(EngineRig.ID, seen, other).block();
		word.tryEmitValue(new Verdict(Kind.NOT_APPLIED, null));
		EngineRig.assertRefused(EngineRig.now(answer), Problem.IN_PROGRESS, Effect.UNKNOWN, true);
		assertThat(this.backend.calls()).isZero();
	}

	@Test
	void applied_does_not_overwrite_the_claim_of_another() {
		this.rig.foreign(State.UNKNOWN, null);
		Sinks.One<Verdict> word = Sinks.one();
		CompletableFuture<Answer> answer = this.rig.send(this.backend.saying(word.asMono()));
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) this.rig.found();
		IdempotencyRecord other = IdempotencyRecord.claim(EngineRig.ID, EngineRig.BODY, PolicySample.RETENTION);
		this.rig.memory.takeOver(EngineRig.ID, seen, other).block();
		word.tryEmitValue(new Verdict(Kind.APPLIED, CREATED));
		EngineRig.assertRefused(EngineRig.now(answer), Problem.IN_PROGRESS, Effect.UNKNOWN, true);
		assertThat(this.rig.found()).isInstanceOf(Claim.Running.class);
	}

	@Test
	void no_clear_word_leaves_it_unknown_and_may_be_asked_again() {
		this.rig.foreign(State.UNKNOWN, null);
		for (int i = 0; i < 2; i++) {
			Answer answer = this.rig.answer(this.backend);
			EngineRig.assertRefused(answer, Problem.OUTCOME_UNKNOWN, Effect.UNKNOWN, true);
			assertThat(((Answer.Refused) answer).retryAfter()).isNull();
		}
		assertThat(this.backend.questions).hasSize(2);
		this.rig.assertUnknown();
	}

	@Test
	void no_clear_word_is_no_replay_of_a_failure_on_record() {
		this.rig.foreign(State.UNKNOWN, EngineRig.response(500, "oops"));
		EngineRig.assertRefused(this.rig.answer(this.backend), Problem.OUTCOME_UNKNOWN, Effect.UNKNOWN, true);
	}

	@Test
	void the_backend_is_asked_how_long_ago_the_operation_was_heard_of() {
		this.rig.foreign(State.UNKNOWN, null);
		this.rig.pass(Duration.ofSeconds(42));
		this.rig.answer(this.backend);
		assertThat(this.backend.questions).containsExactly(Duration.ofSeconds(42));
	}

	@Test
	void a_lapsed_claim_is_asked_about_too() {
		this.rig.lapsed();
		this.rig.answer(this.backend);
		assertThat(this.backend.questions).containsExactly(PolicySample.LEASE.plusSeconds(1));
	}

	@Test
	void one_asks_at_a_time_for_as_long_as_a_question_may_take() {
		this.rig.foreign(State.UNKNOWN, null);
		Sinks.One<Verdict> word = Sinks.one();
		CompletableFuture<Answer> first = this.rig.send(this.backend.saying(word.asMono()));
		this.rig.pass(PolicySample.LEASE.plusSeconds(4));
		EngineRig.assertRefused(this.rig.answer(this.backend), Problem.OUTCOME_UNKNOWN, Effect.UNKNOWN, true);
		assertThat(this.backend.questions).hasSize(1);
		word.tryEmitValue(new Verdict(Kind.APPLIED, CREATED));
		assertThat(EngineRig.now(first)).isInstanceOf(Answer.Replay.class);
	}

	@Test
	void a_client_that_leaves_does_not_keep_others_from_asking() {
		this.rig.foreign(State.UNKNOWN, null);
		Sinks.One<Verdict> word = Sinks.one();
		this.rig.send(this.backend.saying(word.asMono())).cancel(true);
		word.tryEmitValue(new Verdict(Kind.UNDECIDED, null));
		this.rig.answer(this.backend);
		assertThat(this.backend.questions).hasSize(2);
	}

	@Test
	void the_room_is_left_before_the_operation_runs() {
		this.rig.foreign(State.UNKNOWN, null);
		ScriptedUpstream.Working working = ScriptedUpstream.working();
		CompletableFuture<Answer> answer = this.rig.send(working.upstream.saying(Kind.NOT_APPLIED, null));
		assertThat(this.rig.memory.enter(EngineRig.ID, OwnerToken.random(), Duration.ofSeconds(1)).block()).isTrue();
		working.ends(DONE);
		assertThat(EngineRig.now(answer)).isInstanceOf(Answer.Fresh.class);
	}

	@Test
	void a_question_that_breaks_decides_nothing_and_leaves_the_room() {
		this.rig.foreign(State.UNKNOWN, null);
		this.backend.saying(Mono.error(new IllegalStateException("defect")));
		for (int i = 0; i < 2; i++) {
			EngineRig.assertRefused(this.rig.answer(this.backend), Problem.OUTCOME_UNKNOWN, Effect.UNKNOWN, true);
		}
		assertThat(this.backend.questions).hasSize(2);
		assertThat(this.rig.events.defects).hasSize(2);
	}

	@Test
	void a_room_that_cannot_be_entered_or_left_decides_nothing() {
		this.rig.foreign(State.UNKNOWN, null);
		this.rig.store.unavailable(Step.ENTER);
		EngineRig.assertRefused(this.rig.answer(this.backend), Problem.OUTCOME_UNKNOWN, Effect.UNKNOWN, true);
		this.rig.store.heal(Step.ENTER);
		this.rig.store.unavailable(Step.LEAVE);
		assertThat(this.rig.answer(this.backend.saying(Kind.APPLIED, CREATED))).isInstanceOf(Answer.Replay.class);
	}

	@Test
	void what_the_backend_says_to_have_done_is_never_forwarded_because_it_cannot_be_written() {
		this.rig.close();
		this.rig = new EngineRig(PolicySample.of(UnknownHandling.RECONCILE, StoreFailure.FORWARD));
		this.rig.foreign(State.UNKNOWN, null);
		this.rig.store.unavailable(Step.SETTLE);
		Answer answer = this.rig.answer(this.backend.saying(Kind.APPLIED, CREATED));
		assertThat(answer).isEqualTo(new Answer.Replay(CREATED, false));
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(Duration.ofSeconds(5));
		this.rig.assertDone(CREATED);
		assertThat(this.backend.calls()).isZero();
	}

}
