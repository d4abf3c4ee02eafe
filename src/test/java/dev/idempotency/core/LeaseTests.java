package dev.idempotency.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.TroubledStore.Step;

import static dev.idempotency.core.EngineRig.BODY;
import static dev.idempotency.core.EngineRig.DONE;
import static dev.idempotency.core.EngineRig.ID;
import static org.assertj.core.api.Assertions.assertThat;

/** The proof that a claim still is ours, and its heartbeat. */
class LeaseTests {

	private static final Duration LEASE = PolicySample.LEASE;

	private final EngineRig rig = new EngineRig(PolicySample.hold());

	private final ScriptedUpstream.Working backend = ScriptedUpstream.working();

	private Lease lease;

	@BeforeEach
	void begin() {
		this.rig.send(this.backend.upstream);
		this.lease = this.backend.upstream.leases.get(0);
	}

	@AfterEach
	void close() {
		this.rig.close();
	}

	private CompletableFuture<Boolean> ensureFresh() {
		return this.lease.ensureFresh().toFuture();
	}

	private void stopTheHeartbeat() {
		this.rig.leases.close();
	}

	@Test
	void a_sign_of_life_is_given_each_third_of_a_lease() {
		this.rig.pass(LEASE.dividedBy(3).minusMillis(200));
		assertThat(this.rig.store.count(Step.RENEW)).isZero();
		this.rig.pass(LEASE.multipliedBy(2));
		assertThat(this.rig.store.count(Step.RENEW)).isBetween(5, 6);
	}

	@Test
	void a_claim_that_is_kept_alive_does_not_lapse() {
		this.rig.pass(LEASE.multipliedBy(10));
		assertThat(this.rig.found()).isInstanceOf(Claim.Running.class);
	}

	@Test
	void the_heartbeat_ends_with_the_operation() {
		this.backend.ends(DONE);
		this.rig.pass(LEASE.multipliedBy(2));
		assertThat(this.rig.store.count(Step.RENEW)).isZero();
	}

	@Test
	void a_renewal_that_fails_is_tried_again_at_the_next_third() {
		this.rig.store.unavailable(Step.RENEW);
		this.rig.pass(LEASE.dividedBy(3).plusMillis(200));
		this.rig.store.heal(Step.RENEW);
		this.rig.pass(LEASE.multipliedBy(2));
		assertThat(this.rig.found()).isInstanceOf(Claim.Running.class);
	}

	@Test
	void a_heartbeat_survives_a_store_that_breaks() {
		this.rig.store.throwAt(Step.RENEW, new IllegalStateException("defect"));
		this.rig.pass(LEASE.dividedBy(2));
		this.rig.store.heal(Step.RENEW);
		this.rig.pass(LEASE);
		assertThat(this.rig.found()).isInstanceOf(Claim.Running.class);
	}

	@Test
	void a_claim_that_vanished_is_written_anew() {
		this.rig.memory.release(ID, this.lease.claim().owner()).block();
		this.rig.pass(LEASE.dividedBy(2));
		assertThat(this.rig.found()).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record().owner()).isEqualTo(this.lease.claim().owner()));
	}

	@Test
	void a_send_within_half_a_lease_needs_no_renewal() {
		stopTheHeartbeat();
		this.rig.pass(LEASE.dividedBy(2).minusMillis(1));
		assertThat(ensureFresh()).isCompletedWithValue(true);
		assertThat(this.rig.store.count(Step.RENEW)).isZero();
	}

	@Test
	void a_send_after_half_a_lease_needs_one() {
		stopTheHeartbeat();
		this.rig.pass(LEASE.dividedBy(2));
		assertThat(ensureFresh()).isCompletedWithValue(true);
		assertThat(this.rig.store.count(Step.RENEW)).isOne();
	}

	@Test
	void time_counts_from_when_the_renewal_was_sent() {
		stopTheHeartbeat();
		this.rig.pass(LEASE.dividedBy(2));
		this.rig.store.trouble(Step.RENEW, (real) -> real.delayElement(LEASE.dividedBy(2), this.rig.time));
		CompletableFuture<Boolean> fresh = ensureFresh();
		this.rig.pass(LEASE.dividedBy(2));
		assertThat(fresh).isCompletedWithValue(true);
		ensureFresh();
		assertThat(this.rig.store.count(Step.RENEW)).isEqualTo(2);
	}

	@Test
	void nothing_is_sent_if_the_renewal_fails() {
		stopTheHeartbeat();
		this.rig.store.unavailable(Step.RENEW);
		this.rig.pass(LEASE.dividedBy(2));
		assertThat(ensureFresh()).isCompletedWithValue(false);
	}

	@Test
	void nothing_is_sent_if_the_renewal_breaks() {
		stopTheHeartbeat();
		this.rig.store.fail(Step.RENEW, new IllegalStateException("defect"));
		this.rig.pass(LEASE.dividedBy(2));
		assertThat(ensureFresh()).isCompletedWithValue(false);
	}

	@Test
	void nothing_is_sent_by_an_owner_who_was_fenced_off() {
		takenByAnother();
		this.rig.pass(LEASE.dividedBy(2));
		assertThat(ensureFresh()).isCompletedWithValue(false);
	}

	@Test
	void an_owner_who_was_fenced_off_gives_no_more_signs_of_life() {
		takenByAnother();
		this.rig.pass(LEASE.multipliedBy(3));
		assertThat(this.rig.store.count(Step.RENEW)).isOne();
	}

	@Test
	void an_older_acknowledgement_that_comes_late_does_not_undo_the_fence() {
		stopTheHeartbeat();
		Sinks.One<Object> slow = Sinks.one();
		this.rig.pass(LEASE.dividedBy(2));
		this.rig.store.trouble(Step.RENEW, (real) -> slow.asMono());
		CompletableFuture<Boolean> older = ensureFresh();
		this.rig.store.trouble(Step.RENEW, (real) -> Mono.just(Ownership.FENCED));
		assertThat(ensureFresh()).isCompletedWithValue(false);
		slow.tryEmitValue(Ownership.OURS);
		assertThat(older).isCompletedWithValue(false);
		assertThat(ensureFresh()).isCompletedWithValue(false);
	}

	@Test
	void an_older_acknowledgement_that_comes_late_does_not_age_a_newer_one() {
		stopTheHeartbeat();
		Sinks.One<Object> slow = Sinks.one();
		this.rig.pass(LEASE.dividedBy(2));
		this.rig.store.trouble(Step.RENEW, (real) -> slow.asMono());
		ensureFresh();
		this.rig.store.heal(Step.RENEW);
		this.rig.pass(LEASE.dividedBy(2));
		ensureFresh();
		slow.tryEmitValue(Ownership.OURS);
		int renewals = this.rig.store.count(Step.RENEW);
		assertThat(ensureFresh()).isCompletedWithValue(true);
		assertThat(this.rig.store.count(Step.RENEW)).isEqualTo(renewals);
	}

	@Test
	void a_key_is_freed_only_when_no_renewal_is_on_its_way_that_would_claim_it_again() {
		Sinks.Empty<Void> slow = Sinks.empty();
		this.rig.store.trouble(Step.RENEW, (real) -> slow.asMono().then(real));
		this.rig.pass(LEASE.dividedBy(2));
		assertThat(this.rig.store.count(Step.RENEW)).isOne();
		this.backend.ends(EngineRig.notApplied(Outcome.Reason.UNREACHABLE));
		slow.tryEmitEmpty();
		this.rig.assertFree();
		this.rig.assertNothingLeft();
	}

	@Test
	void a_renewal_that_was_given_up_does_not_keep_a_key_from_being_freed() {
		this.rig.store.trouble(Step.RENEW, (real) -> Mono.never());
		stopTheHeartbeat();
		this.rig.pass(LEASE.dividedBy(2));
		ensureFresh().cancel(true);
		this.backend.ends(EngineRig.notApplied(Outcome.Reason.UNREACHABLE));
		this.rig.assertFree();
		this.rig.assertNothingLeft();
	}

	@Test
	void after_its_end_a_claim_is_not_renewed() {
		this.backend.ends(EngineRig.notApplied(Outcome.Reason.UNREACHABLE));
		this.rig.pass(LEASE);
		assertThat(ensureFresh()).isCompletedWithValue(false);
		this.rig.assertFree();
	}

	@Test
	void a_closed_keeper_gives_no_more_signs_of_life() {
		stopTheHeartbeat();
		this.rig.pass(LEASE.multipliedBy(2));
		assertThat(this.rig.store.count(Step.RENEW)).isZero();
	}

	private void takenByAnother() {
		this.rig.memory.release(ID, this.lease.claim().owner()).block();
		this.rig.memory.claim(ID, IdempotencyRecord.claim(ID, BODY, PolicySample.RETENTION)).block();
	}

}
