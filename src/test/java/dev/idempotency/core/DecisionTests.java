package dev.idempotency.core;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.IdempotencyPolicy.StoreFailure;
import dev.idempotency.core.IdempotencyPolicy.UnknownHandling;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.TroubledStore.Step;
import reactor.core.publisher.Mono;

import static dev.idempotency.core.EngineRig.BODY;
import static dev.idempotency.core.EngineRig.CREATED;
import static dev.idempotency.core.EngineRig.DONE;
import static org.assertj.core.api.Assertions.assertThat;

/** What a keyed request is answered, by what the store says of its key. */
class DecisionTests {

	private final ScriptedUpstream upstream = ScriptedUpstream.ending(DONE);

	private EngineRig rig = new EngineRig(PolicySample.hold());

	@AfterEach
	void close() {
		this.rig.close();
	}

	@Test
	void a_new_key_is_carried_out_once_and_recorded_before_the_answer() {
		Answer answer = this.rig.answer(this.upstream);
		assertThat(answer).isEqualTo(new Answer.Fresh(CREATED));
		assertThat(this.upstream.calls()).isOne();
		this.rig.assertDone(CREATED);
		this.rig.assertNothingLeft();
	}

	@Test
	void the_answer_waits_for_the_record() {
		this.rig.store.trouble(Step.SETTLE, (real) -> Mono.never());
		assertThat(this.rig.send(this.upstream)).isNotDone();
	}

	@Test
	void a_finished_key_is_replayed_without_a_call() {
		this.rig.foreign(State.DONE, CREATED);
		assertThat(this.rig.answer(this.upstream)).isInstanceOfSatisfying(Answer.Replay.class, (replay) -> {
			EngineRig.assertSame(replay.response(), CREATED);
			assertThat(replay.unknown()).isFalse();
		});
		assertThat(this.upstream.calls()).isZero();
	}

	@Test
	void a_running_key_is_refused_at_once_with_a_time_to_come_back() {
		this.rig.foreignClaim();
		Answer answer = this.rig.answer(this.upstream);
		EngineRig.assertRefused(answer, Problem.IN_PROGRESS, Effect.UNKNOWN, true);
		assertThat(((Answer.Refused) answer).retryAfter()).isPositive();
		assertThat(this.upstream.calls()).isZero();
	}

	@Test
	void an_unknown_outcome_with_an_answer_on_record_is_replayed_as_unknown() {
		StoredResponse failure = EngineRig.response(500, "oops");
		this.rig.foreign(State.UNKNOWN, failure);
		assertThat(this.rig.answer(this.upstream)).isInstanceOfSatisfying(Answer.Replay.class, (replay) -> {
			EngineRig.assertSame(replay.response(), failure);
			assertThat(replay.unknown()).isTrue();
		});
		assertThat(this.upstream.calls()).isZero();
	}

	@Test
	void an_unknown_outcome_without_an_answer_is_held_without_a_time_to_come_back() {
		this.rig.foreign(State.UNKNOWN, null);
		Answer answer = this.rig.answer(this.upstream);
		EngineRig.assertRefused(answer, Problem.OUTCOME_UNKNOWN, Effect.UNKNOWN, false);
		assertThat(((Answer.Refused) answer).retryAfter()).isNull();
		assertThat(this.upstream.calls()).isZero();
	}

	@Test
	void a_lapsed_claim_is_unknown_and_never_free() {
		IdempotencyRecord claim = this.rig.lapsed();
		EngineRig.assertRefused(this.rig.answer(this.upstream), Problem.OUTCOME_UNKNOWN, Effect.UNKNOWN, false);
		assertThat(this.rig.events.lapsed).isOne();
		assertThat(this.upstream.calls()).isZero();
		assertThat(
				this.rig.memory.settle(EngineRig.ID, claim.settled(State.DONE, PolicySample.TTL, 1, CREATED)).block())
			.as("the settle of an owner who was only slow")
			.isEqualTo(IdempotencyStore.Ownership.OURS);
	}

	@ParameterizedTest
	@CsvSource({ "201, APPLIED", "303, APPLIED", "422, NOT_APPLIED", "500, UNKNOWN", "0, APPLIED" })
	void a_finished_key_whose_answer_was_not_kept_says_what_its_status_said(int status, Effect effect) {
		this.rig.foreign(State.DONE, StoredResponse.tombstone(status));
		EngineRig.assertRefused(this.rig.answer(this.upstream), Problem.REPLAY_UNAVAILABLE, effect, false);
	}

	@Test
	void an_unknown_outcome_whose_answer_was_not_kept_cannot_be_replayed() {
		this.rig.foreign(State.UNKNOWN, StoredResponse.tombstone(500));
		EngineRig.assertRefused(this.rig.answer(this.upstream), Problem.REPLAY_UNAVAILABLE, Effect.UNKNOWN, false);
	}

	@ParameterizedTest
	@EnumSource(State.class)
	void another_request_under_the_same_key_is_refused_in_every_state(State state) {
		if (state == State.RUNNING) {
			this.rig.foreignClaim();
		}
		else {
			this.rig.foreign(state, CREATED);
		}
		assertReused();
	}

	@Test
	void another_request_under_a_lapsed_key_is_refused_too() {
		this.rig.lapsed();
		assertReused();
	}

	@ParameterizedTest
	@EnumSource(UnknownHandling.class)
	void another_request_is_refused_however_unknown_outcomes_are_handled(UnknownHandling unknown) {
		this.rig.close();
		this.rig = new EngineRig(PolicySample.of(unknown, StoreFailure.REJECT));
		this.rig.foreign(State.UNKNOWN, null);
		assertReused();
		assertThat(this.upstream.questions).isEmpty();
	}

	private void assertReused() {
		Answer answer = EngineRig
			.now(this.rig.handle(EngineRig.fingerprint("other"), Duration.ofSeconds(5), this.upstream).toFuture());
		EngineRig.assertRefused(answer, Problem.KEY_REUSED, Effect.UNKNOWN, false);
		assertThat(this.upstream.calls()).isZero();
	}

	@Test
	void an_unreadable_record_is_neither_replayed_nor_run_and_is_reported() {
		this.rig.foreign(State.DONE, CREATED);
		RecordId same = new RecordId(EngineRig.ID.digest(), 42);
		IdempotencyEngine engine = new IdempotencyEngine(PolicySample.hold(), this.rig.services, this.rig.events);
		Answer answer = EngineRig
			.now(engine.handle(new KeyedRequest(same, BODY, Duration.ZERO), this.upstream).toFuture());
		EngineRig.assertRefused(answer, Problem.RECORD_UNREADABLE, Effect.UNKNOWN, true);
		assertThat(this.upstream.calls()).isZero();
		assertThat(this.rig.events.unreadable).hasSize(1);
	}

	@Test
	void an_unreachable_store_refuses_before_anything_is_forwarded() {
		this.rig.store.unavailable(Step.CLAIM);
		Answer answer = this.rig.answer(this.upstream);
		EngineRig.assertRefused(answer, Problem.STORE_UNAVAILABLE, Effect.UNKNOWN, true);
		assertThat(((Answer.Refused) answer).retryAfter()).isPositive();
		assertThat(this.upstream.calls()).isZero();
		this.rig.assertNothingLeft();
	}

	@Test
	void an_unreachable_store_lets_through_unprotected_where_the_policy_says_so() {
		this.rig.close();
		this.rig = new EngineRig(PolicySample.of(UnknownHandling.HOLD, StoreFailure.FORWARD));
		this.rig.store.unavailable(Step.CLAIM);
		assertThat(this.rig.answer(this.upstream)).isInstanceOf(Answer.Unprotected.class);
		assertThat(this.upstream.calls()).as("calls under a claim").isZero();
	}

	@Test
	void a_key_can_be_used_anew_when_its_record_is_over() {
		this.rig.answer(this.upstream);
		this.rig.pass(PolicySample.TTL.plusSeconds(1));
		assertThat(this.rig.answer(this.upstream)).isInstanceOf(Answer.Fresh.class);
		assertThat(this.upstream.calls()).isEqualTo(2);
	}

	@Test
	void a_replay_does_not_lengthen_the_record() {
		this.rig.answer(this.upstream);
		this.rig.pass(PolicySample.TTL.minusSeconds(1));
		assertThat(this.rig.answer(this.upstream)).isInstanceOf(Answer.Replay.class);
		this.rig.pass(Duration.ofSeconds(2));
		this.rig.assertFree();
	}

}
