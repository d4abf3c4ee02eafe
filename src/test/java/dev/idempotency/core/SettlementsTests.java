package dev.idempotency.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.TroubledStore.Step;

import static dev.idempotency.core.EngineRig.CREATED;
import static dev.idempotency.core.EngineRig.DONE;
import static dev.idempotency.core.EngineRig.ID;
import static org.assertj.core.api.Assertions.assertThat;

/** Outcomes that cannot be written at once. */
class SettlementsTests {

	private static final Duration SOON = Duration.ofSeconds(5);

	private final ScriptedUpstream done = ScriptedUpstream.ending(DONE);

	private EngineRig rig = new EngineRig(PolicySample.hold());

	@AfterEach
	void close() {
		this.rig.close();
	}

	@Test
	void the_client_gets_the_backends_answer_at_once() {
		this.rig.store.unavailable(Step.SETTLE);
		assertThat(this.rig.answer(this.done)).isEqualTo(new Answer.Fresh(CREATED));
		assertThat(this.rig.events.settleFailures).isOne();
	}

	@Test
	void the_outcome_is_written_when_the_store_is_back() {
		this.rig.store.unavailable(Step.SETTLE);
		this.rig.answer(this.done);
		this.rig.pass(Duration.ofMinutes(1));
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(SOON);
		this.rig.assertDone(CREATED);
		this.rig.assertNothingLeft();
	}

	@Test
	void until_then_the_key_is_in_progress_and_never_run_again() {
		this.rig.store.unavailable(Step.SETTLE);
		this.rig.answer(this.done);
		this.rig.pass(PolicySample.LEASE.multipliedBy(3));
		assertThat(this.rig.answer(this.done)).isInstanceOfSatisfying(Answer.Refused.class,
				(refused) -> assertThat(refused.problem()).isEqualTo(Problem.IN_PROGRESS));
		assertThat(this.done.calls()).isOne();
	}

	@Test
	void a_reply_that_was_lost_is_no_loss() {
		this.rig.store.loseReply(Step.SETTLE);
		this.rig.answer(this.done);
		this.rig.assertDone(CREATED);
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(SOON);
		this.rig.assertDone(CREATED);
		this.rig.assertNothingLeft();
	}

	@Test
	void who_waits_for_the_key_is_woken_when_it_is_written() {
		this.rig.store.unavailable(Step.SETTLE);
		this.rig.answer(this.done);
		CompletableFuture<Answer> waiting = this.rig.sendPatiently(Duration.ofSeconds(20), this.done);
		this.rig.pass(Duration.ofSeconds(2));
		assertThat(waiting).isNotDone();
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(Duration.ofSeconds(4));
		assertThat(EngineRig.now(waiting)).isInstanceOf(Answer.Replay.class);
	}

	@Test
	void it_is_tried_no_longer_than_the_record_would_live() {
		this.rig.store.unavailable(Step.SETTLE);
		this.rig.answer(this.done);
		this.rig.pass(PolicySample.TTL.plusSeconds(10));
		int tries = this.rig.store.count(Step.SETTLE);
		this.rig.assertNothingLeft();
		this.rig.pass(Duration.ofMinutes(1));
		assertThat(this.rig.store.count(Step.SETTLE)).isEqualTo(tries);
		assertThat(tries).isBetween(80, 600);
	}

	@Test
	void an_outcome_whose_claim_went_to_another_is_given_up() {
		this.rig.store.unavailable(Step.SETTLE);
		this.rig.answer(this.done);
		OwnerToken own = this.done.leases.get(0).claim().owner();
		this.rig.memory.release(ID, own).block();
		this.rig.foreignClaim();
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(SOON);
		assertThat(this.rig.found()).isInstanceOf(Claim.Running.class);
		assertThat(this.rig.events.fenced).isOne();
		this.rig.assertNothingLeft();
	}

	@Test
	void what_waits_is_bounded_and_beyond_the_bound_the_answer_is_dropped() {
		this.rig.close();
		this.rig = new EngineRig(PolicySample.hold(), CREATED.size() - 1);
		this.rig.store.unavailable(Step.SETTLE);
		assertThat(this.rig.answer(this.done)).isEqualTo(new Answer.Fresh(CREATED));
		assertThat(this.rig.services.settlements().backlog()).isZero();
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(SOON);
		this.rig.assertDone(StoredResponse.tombstone(201));
		this.rig.assertNothingLeft();
	}

	@Test
	void what_waits_is_counted_while_it_waits() {
		this.rig.store.unavailable(Step.SETTLE);
		this.rig.answer(this.done);
		assertThat(this.rig.services.settlements().backlog()).isEqualTo(CREATED.size());
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(SOON);
		assertThat(this.rig.services.settlements().backlog()).isZero();
	}

	@Test
	void an_answer_on_which_the_store_chokes_is_replaced_by_its_tombstone() {
		this.rig.store.fail(Step.SETTLE, new IllegalArgumentException("no room for this header"));
		assertThat(this.rig.answer(this.done)).isEqualTo(new Answer.Fresh(CREATED));
		assertThat(this.rig.events.defects).hasSize(1);
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(SOON);
		this.rig.assertDone(StoredResponse.tombstone(201));
		this.rig.assertNothingLeft();
	}

	@Test
	void a_store_that_throws_is_tried_again() {
		this.rig.store.throwAt(Step.SETTLE, new IllegalStateException("closed"));
		assertThat(this.rig.answer(this.done)).isEqualTo(new Answer.Fresh(CREATED));
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(SOON);
		this.rig.assertNothingLeft();
	}

	@Test
	void a_store_that_says_nothing_is_tried_again() {
		this.rig.store.trouble(Step.SETTLE, (real) -> Mono.empty());
		assertThat(this.rig.answer(this.done)).isEqualTo(new Answer.Fresh(CREATED));
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(SOON);
		this.rig.assertDone(CREATED);
		this.rig.assertNothingLeft();
	}

	@Test
	void a_release_that_fails_answers_at_once_and_is_tried_again() {
		this.rig.store.unavailable(Step.RELEASE);
		this.rig.answer(ScriptedUpstream.ending(EngineRig.notApplied(Outcome.Reason.UNREACHABLE)));
		assertThat(this.rig.events.settleFailures).isOne();
		assertThat(this.rig.found()).isInstanceOf(Claim.Running.class);
		this.rig.store.heal(Step.RELEASE);
		this.rig.pass(SOON);
		this.rig.assertFree();
		this.rig.assertNothingLeft();
	}

	@Test
	void a_release_that_fails_does_not_free_the_claim_of_the_next() {
		this.rig.store.loseReply(Step.RELEASE);
		this.rig.answer(ScriptedUpstream.ending(EngineRig.notApplied(Outcome.Reason.UNREACHABLE)));
		this.rig.foreignClaim();
		this.rig.store.heal(Step.RELEASE);
		this.rig.pass(SOON);
		assertThat(this.rig.found()).isInstanceOf(Claim.Running.class);
		assertThat(this.rig.events.fenced).isOne();
		this.rig.assertNothingLeft();
	}

	@Test
	void a_release_is_tried_no_longer_than_the_claim_lives() {
		this.rig.store.unavailable(Step.RELEASE);
		this.rig.answer(ScriptedUpstream.ending(EngineRig.notApplied(Outcome.Reason.UNREACHABLE)));
		this.rig.pass(PolicySample.RETENTION.claimLifetime().plusSeconds(10));
		this.rig.assertNothingLeft();
		this.rig.assertFree();
	}

	@Test
	void an_unknown_outcome_is_written_later_too() {
		this.rig.store.unavailable(Step.SETTLE);
		this.rig.answer(ScriptedUpstream.ending(EngineRig.TIMEOUT));
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(SOON);
		assertThat(this.rig.found()).isInstanceOfSatisfying(Claim.UnknownOutcome.class,
				(unknown) -> assertThat(unknown.record().state()).isEqualTo(State.UNKNOWN));
	}

}
