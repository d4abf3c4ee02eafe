package dev.idempotency.core;

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

import static dev.idempotency.core.EngineRig.CREATED;
import static dev.idempotency.core.EngineRig.DONE;
import static dev.idempotency.core.EngineRig.ID;
import static org.assertj.core.api.Assertions.assertThat;

/** A retry of an unknown outcome where the policy lets it run again. */
class TakeOverTests {

	private final ScriptedUpstream.Working backend = ScriptedUpstream.working();

	private EngineRig rig = new EngineRig(PolicySample.of(UnknownHandling.RETRY, StoreFailure.REJECT));

	@AfterEach
	void close() {
		this.rig.close();
	}

	@Test
	void it_runs_under_a_claim_that_knows_of_the_doubt() {
		this.rig.foreign(State.UNKNOWN, null);
		this.rig.send(this.backend.upstream);
		assertThat(this.backend.upstream.leases).singleElement().satisfies((lease) -> {
			assertThat(lease.isTainted()).isTrue();
			assertThat(lease.claim().attempts()).isOne();
		});
	}

	@Test
	void it_takes_over_a_lapsed_claim_and_fences_its_owner_off() {
		IdempotencyRecord lapsed = this.rig.lapsed();
		this.rig.send(this.backend.upstream);
		assertThat(this.backend.upstream.calls()).isOne();
		assertThat(this.rig.memory.renew(ID, lapsed).block()).isEqualTo(IdempotencyStore.Ownership.FENCED);
		assertThat(this.rig.events.lapsed).isOne();
	}

	@Test
	void of_two_at_the_same_moment_one_wins_and_the_other_is_told_that_it_runs() {
		this.rig.foreign(State.UNKNOWN, null);
		Sinks.Empty<Void> both = Sinks.empty();
		this.rig.store.trouble(Step.TAKE_OVER, (real) -> both.asMono().then(real));
		CompletableFuture<Answer> one = this.rig.send(this.backend.upstream);
		CompletableFuture<Answer> other = this.rig.send(this.backend.upstream);
		both.tryEmitEmpty();
		assertThat(this.backend.upstream.calls()).isOne();
		EngineRig.assertRefused(EngineRig.now(other), Problem.IN_PROGRESS, Effect.UNKNOWN, true);
		this.backend.ends(DONE);
		assertThat(EngineRig.now(one)).isEqualTo(new Answer.Fresh(CREATED));
	}

	@Test
	void who_comes_after_the_winner_has_ended_in_doubt_again_is_told_so() {
		this.rig.foreign(State.UNKNOWN, null);
		Sinks.Empty<Void> late = Sinks.empty();
		this.rig.store.trouble(Step.TAKE_OVER, (real) -> late.asMono().then(real));
		CompletableFuture<Answer> slow = this.rig.send(ScriptedUpstream.ending(DONE));
		this.rig.store.heal(Step.TAKE_OVER);
		this.rig.answer(ScriptedUpstream.ending(EngineRig.TIMEOUT));
		late.tryEmitEmpty();
		EngineRig.assertRefused(EngineRig.now(slow), Problem.OUTCOME_UNKNOWN, Effect.UNKNOWN, true);
		this.rig.assertNothingLeft();
	}

	@Test
	void a_step_that_fails_runs_nothing_even_where_an_unreachable_store_lets_through() {
		this.rig.close();
		this.rig = new EngineRig(PolicySample.of(UnknownHandling.RETRY, StoreFailure.FORWARD));
		this.rig.foreign(State.UNKNOWN, null);
		this.rig.store.unavailable(Step.TAKE_OVER);
		EngineRig.assertRefused(this.rig.answer(this.backend.upstream), Problem.STORE_UNAVAILABLE, Effect.UNKNOWN,
				true);
		assertThat(this.backend.upstream.calls()).isZero();
		this.rig.assertNothingLeft();
	}

	@Test
	void a_step_that_breaks_runs_nothing() {
		this.rig.foreign(State.UNKNOWN, null);
		this.rig.store.trouble(Step.TAKE_OVER, (real) -> Mono.error(new IllegalStateException("defect")));
		EngineRig.assertRefused(this.rig.answer(this.backend.upstream), Problem.STORE_UNAVAILABLE, Effect.UNKNOWN,
				true);
		assertThat(this.backend.upstream.calls()).isZero();
		this.rig.assertNothingLeft();
	}

}
