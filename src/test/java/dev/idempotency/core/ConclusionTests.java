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
import dev.idempotency.core.Outcome.Reason;

import static dev.idempotency.core.EngineRig.CREATED;
import static dev.idempotency.core.EngineRig.DONE;
import static dev.idempotency.core.EngineRig.ID;
import static org.assertj.core.api.Assertions.assertThat;

/** What an outcome means for the record and for the client. */
class ConclusionTests {

	private static final StoredResponse REFUSAL = EngineRig.response(503, "busy");

	private EngineRig rig = new EngineRig(PolicySample.hold());

	@AfterEach
	void close() {
		this.rig.assertNothingLeft();
		this.rig.close();
	}

	private Answer answerTo(Outcome outcome) {
		return this.rig.answer(ScriptedUpstream.ending(outcome));
	}

	@Test
	void done_keeps_what_is_for_the_record_and_sends_what_is_for_the_client() {
		StoredResponse kept = EngineRig.response(201, "kept");
		Answer answer = answerTo(new Outcome.Done(1, CREATED, kept));
		assertThat(answer).isEqualTo(new Answer.Fresh(CREATED));
		this.rig.assertDone(kept);
	}

	@Test
	void not_applied_frees_the_key_and_passes_the_backends_words_on() {
		assertThat(answerTo(new Outcome.NotApplied(1, Reason.STATUS, REFUSAL, null)))
			.isEqualTo(new Answer.Fresh(REFUSAL));
		this.rig.assertFree();
	}

	@ParameterizedTest
	@CsvSource({ "UNREACHABLE, UPSTREAM_UNAVAILABLE, NOT_APPLIED", "CIRCUIT_OPEN, UPSTREAM_UNAVAILABLE, NOT_APPLIED",
			"TOO_BUSY, TOO_BUSY, NOT_APPLIED", "SHUTTING_DOWN, SHUTTING_DOWN, UNKNOWN",
			"LEASE_UNCERTAIN, STORE_UNAVAILABLE, UNKNOWN" })
	void not_applied_without_words_says_why_and_frees_the_key(Reason reason, Problem problem, Effect effect) {
		Answer answer = answerTo(EngineRig.notApplied(reason));
		EngineRig.assertRefused(answer, problem, effect, true);
		assertThat(((Answer.Refused) answer).retryAfter()).isPositive();
		this.rig.assertFree();
	}

	@Test
	void not_applied_says_when_to_come_back_if_the_backend_did() {
		Answer answer = answerTo(new Outcome.NotApplied(0, Reason.CIRCUIT_OPEN, null, Duration.ofSeconds(7)));
		assertThat(((Answer.Refused) answer).retryAfter()).isEqualTo(Duration.ofSeconds(7));
	}

	@Test
	void unknown_with_words_passes_them_on_and_keeps_them() {
		StoredResponse failure = EngineRig.response(500, "oops");
		assertThat(answerTo(new Outcome.Unknown(1, Reason.STATUS, failure, failure, null)))
			.isEqualTo(new Answer.Fresh(failure));
		assertThat(this.rig.found()).isInstanceOfSatisfying(Claim.UnknownOutcome.class, (unknown) -> {
			assertThat(unknown.record().state()).isEqualTo(State.UNKNOWN);
			EngineRig.assertSame(unknown.record().response(), failure);
		});
	}

	@Test
	void a_timeout_is_said_to_be_one_and_recorded_as_unknown() {
		EngineRig.assertRefused(answerTo(EngineRig.TIMEOUT), Problem.UPSTREAM_TIMEOUT, Effect.UNKNOWN, true);
		this.rig.assertUnknown();
	}

	@Test
	void a_broken_attempt_is_said_to_have_failed_and_recorded_as_unknown() {
		Answer answer = answerTo(new Outcome.Unknown(1, Reason.BROKEN, null, null, null));
		EngineRig.assertRefused(answer, Problem.UPSTREAM_FAILED, Effect.UNKNOWN, false);
		this.rig.assertUnknown();
	}

	@ParameterizedTest
	@EnumSource(value = UnknownHandling.class, names = { "RETRY", "RECONCILE" })
	void a_broken_attempt_can_be_retried_where_unknown_is_not_the_last_word(UnknownHandling unknown) {
		use(unknown);
		Answer answer = answerTo(new Outcome.Unknown(1, Reason.BROKEN, null, null, null));
		EngineRig.assertRefused(answer, Problem.UPSTREAM_FAILED, Effect.UNKNOWN, true);
	}

	@Test
	void the_record_counts_the_attempts_of_all_claims() {
		use(UnknownHandling.RETRY);
		this.rig.foreign(State.UNKNOWN, null);
		answerTo(new Outcome.Done(2, CREATED, CREATED));
		assertThat(((Claim.Finished) this.rig.found()).record().attempts()).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource(value = Reason.class, names = { "STATUS", "UNREACHABLE" })
	void not_applied_after_an_earlier_doubt_frees_nothing_and_is_a_failure(Reason reason) {
		use(UnknownHandling.RETRY);
		this.rig.foreign(State.UNKNOWN, null);
		Answer answer = answerTo(new Outcome.NotApplied(1, reason, REFUSAL, null));
		EngineRig.assertRefused(answer, Problem.UPSTREAM_FAILED, Effect.UNKNOWN, true);
		this.rig.assertUnknown();
	}

	@ParameterizedTest
	@CsvSource({ "TOO_BUSY, TOO_BUSY", "CIRCUIT_OPEN, UPSTREAM_UNAVAILABLE", "SHUTTING_DOWN, SHUTTING_DOWN",
			"LEASE_UNCERTAIN, STORE_UNAVAILABLE" })
	void what_was_held_back_after_an_earlier_doubt_stays_in_doubt(Reason reason, Problem problem) {
		use(UnknownHandling.RETRY);
		this.rig.foreign(State.UNKNOWN, null);
		EngineRig.assertRefused(answerTo(EngineRig.notApplied(reason)), problem, Effect.UNKNOWN, true);
		this.rig.assertUnknown();
	}

	@Test
	void what_is_in_doubt_is_not_told_as_released() {
		use(UnknownHandling.RETRY);
		this.rig.foreign(State.UNKNOWN, null);
		answerTo(EngineRig.notApplied(Reason.TOO_BUSY));
		assertThat(this.rig.events.ended).singleElement().isInstanceOf(Outcome.Unknown.class);
	}

	@Test
	void done_after_an_earlier_doubt_is_done() {
		use(UnknownHandling.RETRY);
		this.rig.foreign(State.UNKNOWN, null);
		assertThat(answerTo(DONE)).isEqualTo(new Answer.Fresh(CREATED));
		this.rig.assertDone(CREATED);
	}

	@Test
	void an_owner_that_was_fenced_off_changes_nothing_but_still_answers() {
		ScriptedUpstream.Working backend = ScriptedUpstream.working();
		var answer = this.rig.send(backend.upstream);
		OwnerToken own = backend.upstream.leases.get(0).claim().owner();
		this.rig.memory.release(ID, own).block();
		IdempotencyRecord other = this.rig.foreignClaim();
		backend.ends(DONE);
		assertThat(EngineRig.now(answer)).isEqualTo(new Answer.Fresh(CREATED));
		assertThat(this.rig.events.fenced).isOne();
		assertThat(this.rig.found()).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record().owner()).isEqualTo(other.owner()));
	}

	@Test
	void a_release_does_not_free_the_claim_of_another() {
		ScriptedUpstream.Working backend = ScriptedUpstream.working();
		this.rig.send(backend.upstream);
		OwnerToken own = backend.upstream.leases.get(0).claim().owner();
		this.rig.memory.release(ID, own).block();
		IdempotencyRecord other = this.rig.foreignClaim();
		backend.ends(EngineRig.notApplied(Reason.UNREACHABLE));
		assertThat(this.rig.found()).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record().owner()).isEqualTo(other.owner()));
		assertThat(this.rig.events.fenced).isOne();
	}

	private void use(UnknownHandling unknown) {
		this.rig.close();
		this.rig = new EngineRig(PolicySample.of(unknown, StoreFailure.REJECT));
	}

}
