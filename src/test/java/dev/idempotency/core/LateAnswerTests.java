package dev.idempotency.core;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.Outcome.Reason;

import static dev.idempotency.core.EngineRig.CREATED;
import static dev.idempotency.core.EngineRig.DONE;
import static org.assertj.core.api.Assertions.assertThat;

/** What comes after the client has been told of a timeout. */
class LateAnswerTests {

	private final EngineRig rig = new EngineRig(PolicySample.hold());

	private final Sinks.One<Outcome> late = Sinks.one();

	@AfterEach
	void close() {
		this.rig.assertNothingLeft();
		this.rig.close();
	}

	private Answer timeOut(Mono<Outcome> late) {
		return this.rig.answer(ScriptedUpstream.ending(new Outcome.Unknown(1, Reason.TIMEOUT, null, null, late)));
	}

	@Test
	void the_client_hears_of_the_timeout_while_the_record_says_that_it_runs() {
		Answer answer = timeOut(this.late.asMono());
		EngineRig.assertRefused(answer, Problem.UPSTREAM_TIMEOUT, Effect.UNKNOWN, true);
		ScriptedUpstream retry = ScriptedUpstream.ending(DONE);
		EngineRig.assertRefused(this.rig.answer(retry), Problem.IN_PROGRESS, Effect.UNKNOWN, true);
		assertThat(retry.calls()).isZero();
		this.late.tryEmitValue(DONE);
	}

	@Test
	void it_is_kept_alive_meanwhile() {
		timeOut(this.late.asMono());
		this.rig.pass(PolicySample.LEASE.multipliedBy(3));
		assertThat(this.rig.found()).isInstanceOf(Claim.Running.class);
		this.late.tryEmitValue(DONE);
	}

	@Test
	void a_late_answer_is_recorded_and_reported() {
		timeOut(this.late.asMono());
		this.late.tryEmitValue(DONE);
		this.rig.assertDone(CREATED);
		assertThat(this.rig.events.late).containsExactly(DONE);
	}

	@Test
	void no_late_answer_leaves_it_unknown_and_is_not_reported_as_one() {
		timeOut(this.late.asMono());
		this.late.tryEmitValue(EngineRig.TIMEOUT);
		this.rig.assertUnknown();
		assertThat(this.rig.events.late).isEmpty();
	}

	@Test
	void an_end_without_a_word_leaves_it_unknown() {
		timeOut(this.late.asMono());
		this.late.tryEmitEmpty();
		this.rig.assertUnknown();
		assertThat(this.rig.events.defects).hasSize(1);
	}

	@Test
	void an_end_in_a_defect_leaves_it_unknown() {
		timeOut(this.late.asMono());
		this.late.tryEmitError(new IllegalStateException("defect"));
		this.rig.assertUnknown();
		assertThat(this.rig.events.defects).hasSize(1);
	}

	@Test
	void what_a_client_was_told_to_be_in_doubt_is_never_freed() {
		timeOut(this.late.asMono());
		this.late.tryEmitValue(EngineRig.notApplied(Reason.STATUS));
		this.rig.assertUnknown();
	}

	@Test
	void a_failure_with_words_may_still_be_followed_by_an_answer() {
		StoredResponse failure = EngineRig.response(504, "gave up");
		Answer answer = this.rig.answer(
				ScriptedUpstream.ending(new Outcome.Unknown(2, Reason.STATUS, failure, failure, this.late.asMono())));
		assertThat(answer).isEqualTo(new Answer.Fresh(failure));
		this.late.tryEmitValue(DONE);
		this.rig.assertDone(CREATED);
	}

}
