package dev.idempotency.core;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import dev.idempotency.core.TroubledStore.Step;

import static dev.idempotency.core.EngineRig.CREATED;
import static dev.idempotency.core.EngineRig.DONE;
import static org.assertj.core.api.Assertions.assertThat;

/** A client that goes away, at any moment, changes nothing. */
class ClientGoneTests {

	private final EngineRig rig = new EngineRig(PolicySample.hold());

	private final ScriptedUpstream.Working backend = ScriptedUpstream.working();

	@AfterEach
	void close() {
		this.rig.close();
	}

	@Test
	void before_the_claim_was_answered() {
		Sinks.Empty<Void> reply = Sinks.empty();
		this.rig.store.trouble(Step.CLAIM, (real) -> real.delayUntil((claim) -> reply.asMono()));
		CompletableFuture<Answer> answer = this.rig.send(this.backend.upstream);
		answer.cancel(true);
		reply.tryEmitEmpty();
		assertThat(this.backend.upstream.calls()).isOne();
		assertThatItIsCarriedOutAndRecorded();
	}

	@Test
	void while_the_backend_works() {
		CompletableFuture<Answer> answer = this.rig.send(this.backend.upstream);
		answer.cancel(true);
		assertThatItIsCarriedOutAndRecorded();
	}

	@Test
	void while_the_outcome_is_written() {
		Sinks.Empty<Void> reply = Sinks.empty();
		this.rig.store.trouble(Step.SETTLE, (real) -> reply.asMono().then(real));
		CompletableFuture<Answer> answer = this.rig.send(this.backend.upstream);
		this.backend.ends(DONE);
		answer.cancel(true);
		reply.tryEmitEmpty();
		this.rig.assertDone(CREATED);
		this.rig.assertNothingLeft();
	}

	@Test
	void while_the_key_is_freed() {
		Sinks.Empty<Void> reply = Sinks.empty();
		this.rig.store.trouble(Step.RELEASE, (real) -> reply.asMono().then(real));
		CompletableFuture<Answer> answer = this.rig.send(this.backend.upstream);
		this.backend.ends(EngineRig.notApplied(Outcome.Reason.UNREACHABLE));
		answer.cancel(true);
		reply.tryEmitEmpty();
		this.rig.assertFree();
		this.rig.assertNothingLeft();
	}

	@Test
	void and_a_claim_that_failed_leaves_nothing_behind() {
		Sinks.Empty<Void> reply = Sinks.empty();
		this.rig.store.trouble(Step.CLAIM,
				(real) -> reply.asMono().then(Mono.error(new StoreUnavailableException("away", null))));
		CompletableFuture<Answer> answer = this.rig.send(this.backend.upstream);
		answer.cancel(true);
		reply.tryEmitEmpty();
		assertThat(this.backend.upstream.calls()).isZero();
		this.rig.assertNothingLeft();
	}

	private void assertThatItIsCarriedOutAndRecorded() {
		this.backend.ends(DONE);
		assertThat(this.backend.upstream.calls()).isOne();
		this.rig.assertDone(CREATED);
		this.rig.assertNothingLeft();
	}

}
