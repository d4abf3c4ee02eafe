package dev.idempotency.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.IdempotencyPolicy.StoreFailure;
import dev.idempotency.core.IdempotencyPolicy.UnknownHandling;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.TroubledStore.Step;

import static dev.idempotency.core.EngineRig.CREATED;
import static dev.idempotency.core.EngineRig.DONE;
import static dev.idempotency.core.EngineRig.ID;
import static org.assertj.core.api.Assertions.assertThat;

/** A duplicate that waits while the first one runs. */
class WaitingDuplicateTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final ScriptedUpstream upstream = ScriptedUpstream.ending(DONE);

	private EngineRig rig = new EngineRig(PolicySample.hold());

	@AfterEach
	void close() {
		this.rig.close();
	}

	@Test
	void the_end_of_an_operation_in_this_instance_wakes_it_at_once() {
		ScriptedUpstream.Working first = ScriptedUpstream.working();
		this.rig.send(first.upstream);
		CompletableFuture<Answer> waiting = this.rig.sendPatiently(PATIENCE, this.upstream);
		assertThat(waiting).isNotDone();
		first.ends(DONE);
		assertThat(EngineRig.now(waiting)).isInstanceOf(Answer.Replay.class);
		assertThat(this.upstream.calls()).isZero();
	}

	@Test
	void the_end_of_an_operation_elsewhere_is_found_by_looking_again() {
		IdempotencyRecord claim = this.rig.foreignClaim();
		CompletableFuture<Answer> waiting = this.rig.sendPatiently(PATIENCE, this.upstream);
		this.rig.memory.settle(ID, claim.settled(State.DONE, PolicySample.TTL, 1, CREATED)).block();
		this.rig.pass(Duration.ofMillis(130));
		assertThat(EngineRig.now(waiting)).isInstanceOf(Answer.Replay.class);
	}

	@Test
	void it_looks_ever_more_seldom() {
		this.rig.foreignClaim();
		CompletableFuture<Answer> waiting = this.rig.sendPatiently(PATIENCE, this.upstream);
		this.rig.pass(Duration.ofSeconds(1));
		int inTheFirstSecond = this.rig.store.count(Step.CLAIM);
		assertThat(inTheFirstSecond).isBetween(3, 5);
		this.rig.pass(PATIENCE);
		assertThat(waiting).isCompleted();
		assertThat(this.rig.store.count(Step.CLAIM)).isBetween(8, 14);
	}

	@Test
	void it_is_refused_when_its_patience_is_over_and_not_before() {
		this.rig.foreignClaim();
		CompletableFuture<Answer> waiting = this.rig.sendPatiently(PATIENCE, this.upstream);
		this.rig.pass(PATIENCE.minusMillis(1));
		assertThat(waiting).isNotDone();
		this.rig.pass(Duration.ofMillis(1));
		EngineRig.assertRefused(EngineRig.now(waiting), Problem.IN_PROGRESS, Effect.UNKNOWN, true);
	}

	@Test
	void without_patience_it_is_refused_at_once() {
		this.rig.foreignClaim();
		EngineRig.assertRefused(this.rig.answer(this.upstream), Problem.IN_PROGRESS, Effect.UNKNOWN, true);
		this.rig.pass(PATIENCE);
		assertThat(this.rig.store.count(Step.CLAIM)).isOne();
	}

	@Test
	void a_key_that_becomes_free_is_claimed() {
		IdempotencyRecord claim = this.rig.foreignClaim();
		CompletableFuture<Answer> waiting = this.rig.sendPatiently(PATIENCE, this.upstream);
		this.rig.memory.release(ID, claim.owner()).block();
		this.rig.pass(Duration.ofMillis(130));
		assertThat(EngineRig.now(waiting)).isInstanceOf(Answer.Fresh.class);
		assertThat(this.upstream.calls()).isOne();
	}

	@Test
	void of_many_that_wait_for_a_key_one_claims_it_when_it_becomes_free() {
		ScriptedUpstream.Working first = ScriptedUpstream.working();
		this.rig.send(first.upstream);
		ScriptedUpstream.Working next = ScriptedUpstream.working();
		CompletableFuture<Answer> one = this.rig.sendPatiently(PATIENCE, next.upstream);
		CompletableFuture<Answer> other = this.rig.sendPatiently(PATIENCE, next.upstream);
		first.ends(EngineRig.notApplied(Outcome.Reason.UNREACHABLE));
		assertThat(next.upstream.calls()).isOne();
		next.ends(DONE);
		this.rig.pass(Duration.ofSeconds(1));
		assertThat(EngineRig.now(one)).isInstanceOf(Answer.Fresh.class);
		assertThat(EngineRig.now(other)).isInstanceOf(Answer.Replay.class);
		assertThat(next.upstream.calls()).isOne();
	}

	@Test
	void a_client_that_leaves_takes_its_looks_with_it() {
		this.rig.foreignClaim();
		CompletableFuture<Answer> waiting = this.rig.sendPatiently(PATIENCE, this.upstream);
		this.rig.pass(Duration.ofMillis(500));
		int looks = this.rig.store.count(Step.CLAIM);
		waiting.cancel(true);
		this.rig.pass(PATIENCE);
		assertThat(this.rig.store.count(Step.CLAIM)).isEqualTo(looks);
		this.rig.assertNothingLeft();
	}

	@Test
	void a_store_that_fails_while_it_waits_does_not_let_it_through() {
		this.rig.close();
		this.rig = new EngineRig(PolicySample.of(UnknownHandling.HOLD, StoreFailure.FORWARD));
		this.rig.foreignClaim();
		CompletableFuture<Answer> waiting = this.rig.sendPatiently(PATIENCE, this.upstream);
		this.rig.store.unavailable(Step.CLAIM);
		this.rig.pass(Duration.ofSeconds(1));
		EngineRig.assertRefused(EngineRig.now(waiting), Problem.STORE_UNAVAILABLE, Effect.UNKNOWN, true);
		assertThat(this.upstream.calls()).isZero();
	}

	@Test
	void a_claim_that_lapses_while_it_waits_is_unknown() {
		this.rig.foreignClaim();
		CompletableFuture<Answer> waiting = this.rig.sendPatiently(Duration.ofSeconds(30), this.upstream);
		this.rig.pass(PolicySample.LEASE.plusSeconds(2));
		EngineRig.assertRefused(EngineRig.now(waiting), Problem.OUTCOME_UNKNOWN, Effect.UNKNOWN, false);
	}

	@Test
	void it_does_not_outstay_a_shutdown() {
		this.rig.foreignClaim();
		CompletableFuture<Answer> waiting = this.rig.sendPatiently(Duration.ofSeconds(30), this.upstream);
		this.rig.pass(Duration.ofSeconds(5));
		this.rig.operations.stop();
		this.rig.pass(Duration.ofSeconds(2));
		assertThat(waiting).isCompleted();
		assertThat(this.upstream.calls()).isZero();
	}

	@Test
	void it_does_not_claim_a_key_that_becomes_free_during_a_shutdown() {
		IdempotencyRecord claim = this.rig.foreignClaim();
		CompletableFuture<Answer> waiting = this.rig.sendPatiently(PATIENCE, this.upstream);
		this.rig.operations.stop();
		this.rig.memory.release(ID, claim.owner()).block();
		this.rig.pass(Duration.ofSeconds(2));
		EngineRig.assertRefused(EngineRig.now(waiting), Problem.SHUTTING_DOWN, Effect.UNKNOWN, true);
		assertThat(this.upstream.calls()).isZero();
		this.rig.assertFree();
	}

}
