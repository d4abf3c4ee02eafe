package dev.idempotency.core;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Sinks;

import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.TroubledStore.Step;

import static dev.idempotency.core.EngineRig.CREATED;
import static dev.idempotency.core.EngineRig.DONE;
import static dev.idempotency.core.EngineRig.ID;
import static org.assertj.core.api.Assertions.assertThat;

/** What runs in an instance, and how it comes to its end. */
class OperationsTests {

	private final EngineRig rig = new EngineRig(PolicySample.hold());

	private final ScriptedUpstream.Working backend = ScriptedUpstream.working();

	@AfterEach
	void close() {
		this.rig.close();
	}

	private CompletableFuture<Void> stopAndDrain() {
		this.rig.operations.stop();
		return this.rig.operations.drained().toFuture();
	}

	@Test
	void what_runs_is_counted_until_it_ends() {
		this.rig.send(this.backend.upstream);
		assertThat(this.rig.operations.count()).isOne();
		this.backend.ends(DONE);
		assertThat(this.rig.operations.count()).isZero();
	}

	@Test
	void new_requests_are_refused_after_a_stop_before_the_store_hears_of_them() {
		this.rig.operations.stop();
		EngineRig.assertRefused(this.rig.answer(this.backend.upstream), Problem.SHUTTING_DOWN, Effect.UNKNOWN, true);
		assertThat(this.rig.store.count(Step.CLAIM)).isZero();
	}

	@Test
	void nothing_running_is_drained_at_once() {
		assertThat(stopAndDrain()).isCompleted();
	}

	@Test
	void draining_waits_for_the_record_of_what_runs() {
		Sinks.Empty<Void> written = Sinks.empty();
		this.rig.store.trouble(Step.SETTLE, (real) -> written.asMono().then(real));
		CompletableFuture<Answer> answer = this.rig.send(this.backend.upstream);
		CompletableFuture<Void> drained = stopAndDrain();
		this.backend.ends(DONE);
		assertThat(drained).isNotDone();
		written.tryEmitEmpty();
		assertThat(drained).isCompleted();
		assertThat(EngineRig.now(answer)).isEqualTo(new Answer.Fresh(CREATED));
	}

	@Test
	void draining_waits_for_a_claim_that_is_on_its_way() {
		Sinks.Empty<Void> reply = Sinks.empty();
		this.rig.store.trouble(Step.CLAIM, (real) -> real.delayUntil((claim) -> reply.asMono()));
		this.rig.send(this.backend.upstream);
		CompletableFuture<Void> drained = stopAndDrain();
		assertThat(drained).isNotDone();
		reply.tryEmitEmpty();
		assertThat(drained).isNotDone();
		this.backend.ends(DONE);
		assertThat(drained).isCompleted();
		this.rig.assertDone(CREATED);
	}

	@Test
	void a_stop_between_claims_is_not_confused_by_those_that_ended() {
		this.rig.send(ScriptedUpstream.ending(DONE));
		this.rig.send(ScriptedUpstream.ending(DONE));
		assertThat(stopAndDrain()).isCompleted();
		this.rig.send(ScriptedUpstream.ending(DONE));
		assertThat(this.rig.operations.drained().toFuture()).isCompleted();
	}

	@Test
	void draining_waits_for_several() {
		this.rig.operations.begin(lease());
		Lease second = lease();
		this.rig.operations.begin(second);
		CompletableFuture<Void> drained = stopAndDrain();
		this.rig.operations.end(second);
		assertThat(drained).isNotDone();
	}

	@Test
	void two_operations_of_one_key_do_not_end_one_another() {
		Lease fenced = lease();
		Lease owner = lease();
		this.rig.operations.begin(fenced);
		this.rig.operations.begin(owner);
		CompletableFuture<Void> ended = this.rig.operations.ended(ID).toFuture();
		this.rig.operations.end(fenced);
		CompletableFuture<Void> endedToo = this.rig.operations.ended(ID).toFuture();
		assertThat(ended).isNotDone();
		this.rig.operations.end(owner);
		assertThat(ended).isCompleted();
		assertThat(endedToo).isCompleted();
	}

	@Test
	void ending_twice_is_ending_once() {
		Lease lease = lease();
		this.rig.operations.begin(lease);
		this.rig.operations.end(lease);
		this.rig.operations.end(lease);
		assertThat(this.rig.operations.count()).isZero();
	}

	@Test
	void nobody_is_woken_by_an_operation_that_does_not_run_here() {
		assertThat(this.rig.operations.ended(ID).toFuture()).isNotDone();
	}

	@Test
	void after_a_start_new_operations_are_welcome_and_the_next_stop_counts() {
		stopAndDrain();
		this.rig.operations.start();
		assertThat(this.rig.operations.stopping().toFuture()).isNotDone();
		this.rig.send(this.backend.upstream);
		CompletableFuture<Void> drained = stopAndDrain();
		assertThat(drained).isNotDone();
		this.backend.ends(DONE);
		assertThat(drained).isCompleted();
	}

	@Test
	void a_stop_is_signalled() {
		CompletableFuture<Void> stopping = this.rig.operations.stopping().toFuture();
		assertThat(stopping).isNotDone();
		this.rig.operations.stop();
		assertThat(stopping).isCompleted();
		assertThat(this.rig.operations.isStopped()).isTrue();
	}

	private Lease lease() {
		return new Lease(ID, IdempotencyRecord.claim(ID, EngineRig.BODY, PolicySample.RETENTION), this.rig.store,
				this.rig::now, this.rig.now());
	}

}
