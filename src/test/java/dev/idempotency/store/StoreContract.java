package dev.idempotency.store;

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every store has to do. A test of a new store says only how one is made and how
 * foreign octets come under a record's name.
 */
public abstract class StoreContract {

	private static final int MANY = 32;

	private static final Duration SHORT = Duration.ofMillis(300);

	private RecordId id = RecordSamples.id("unset");

	/** The store under test, the same for all tests of a class. */
	protected abstract IdempotencyStore store();

	/** Puts something under a record's name behind the store's back. */
	protected abstract void plant(RecordId id, byte[] octets, Duration life);

	@BeforeEach
	void useAKeyOfOnesOwn(TestInfo test) {
		this.id = RecordSamples.id(test.getDisplayName() + System.nanoTime());
	}

	@Test
	void the_first_claim_wins_and_is_what_stands_in_the_store() {
		IdempotencyRecord claim = RecordSamples.claim(this.id);
		assertThat(claim(claim)).isEqualTo(new Claim.Won(claim));
		assertThat(find()).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record()).isEqualTo(claim));
	}

	@Test
	void nothing_is_found_under_a_free_key() {
		assertThat(store().find(this.id).blockOptional()).isEmpty();
	}

	@Test
	void a_second_claim_meets_the_running_one() {
		IdempotencyRecord first = won();
		assertThat(claim(RecordSamples.claim(this.id))).isInstanceOfSatisfying(Claim.Running.class, (running) -> {
			assertThat(running.record()).isEqualTo(first);
			assertThat(running.leaseLeft()).isPositive().isLessThanOrEqualTo(first.lease());
		});
	}

	@Test
	void a_claim_sent_twice_recognises_itself() {
		IdempotencyRecord claim = won();
		assertThat(claim(claim)).isEqualTo(new Claim.Won(claim));
	}

	@Test
	void of_many_claims_at_once_one_wins() {
		List<Claim> claims = atOnce((number) -> store().claim(this.id, RecordSamples.claim(this.id)));
		assertThat(claims).hasSize(MANY).filteredOn(Claim.Won.class::isInstance).hasSize(1);
		assertThat(claims).filteredOn((claim) -> !(claim instanceof Claim.Won))
			.allMatch(Claim.Running.class::isInstance);
	}

	@Test
	void another_key_is_free() {
		won();
		RecordId other = RecordSamples.id("other" + System.nanoTime());
		assertThat(store().claim(other, RecordSamples.claim(other)).block()).isInstanceOf(Claim.Won.class);
	}

	@Test
	void a_settled_answer_is_given_to_the_next_claim() {
		IdempotencyRecord done = RecordSamples.done(won(), "made");
		assertThat(settle(done)).isEqualTo(Ownership.OURS);
		assertFinished(claim(RecordSamples.claim(this.id)), done);
		assertFinished(find(), done);
	}

	@Test
	void a_tombstone_keeps_its_status() {
		IdempotencyRecord done = won().settled(State.DONE, Duration.ofMinutes(1), 1, StoredResponse.tombstone(202));
		settle(done);
		assertThat(claim(RecordSamples.claim(this.id))).isInstanceOfSatisfying(Claim.Finished.class,
				(found) -> assertThat(found.record()).isEqualTo(done));
	}

	@Test
	void the_outcome_of_a_settle_is_written_once() {
		IdempotencyRecord claim = won();
		IdempotencyRecord done = RecordSamples.done(claim, "made");
		settle(done);
		assertThat(settle(done)).isEqualTo(Ownership.OURS);
		assertThat(settle(RecordSamples.done(claim, "something else"))).isEqualTo(Ownership.OURS);
		assertThat(settle(RecordSamples.unknown(claim))).isEqualTo(Ownership.OURS);
		assertFinished(find(), done);
	}

	@Test
	void an_unknown_outcome_is_told_with_its_age() {
		IdempotencyRecord unknown = RecordSamples.unknown(won());
		settle(unknown);
		assertThat(claim(RecordSamples.claim(this.id))).isInstanceOfSatisfying(Claim.UnknownOutcome.class, (seen) -> {
			assertThat(seen.record()).isEqualTo(unknown);
			assertThat(seen.lapsed()).isFalse();
			assertThat(seen.age()).isBetween(Duration.ZERO, Duration.ofSeconds(5));
		});
	}

	@Test
	void an_unknown_outcome_becomes_done_when_its_owner_learns_more() {
		IdempotencyRecord claim = won();
		settle(RecordSamples.unknown(claim));
		IdempotencyRecord done = RecordSamples.done(claim, "after all");
		assertThat(settle(done)).isEqualTo(Ownership.OURS);
		assertFinished(find(), done);
	}

	@Test
	void a_release_frees_the_key() {
		IdempotencyRecord claim = won();
		assertThat(release(claim)).isEqualTo(Ownership.OURS);
		assertThat(claim(RecordSamples.claim(this.id))).isInstanceOf(Claim.Won.class);
	}

	@Test
	void a_release_of_a_vanished_claim_is_a_success() {
		assertThat(release(RecordSamples.claim(this.id))).isEqualTo(Ownership.OURS);
	}

	@Test
	void a_release_never_deletes_an_outcome() {
		IdempotencyRecord claim = won();
		IdempotencyRecord done = RecordSamples.done(claim, "made");
		settle(done);
		release(claim);
		assertFinished(find(), done);
	}

	@Test
	void a_renewal_is_a_sign_of_life() {
		IdempotencyRecord claim = won(RecordSamples.claim(this.id, SHORT));
		Awaitility.await()
			.until(() -> find() instanceof Claim.Running running && running.leaseLeft().isZero()
					|| find() instanceof Claim.UnknownOutcome);
		assertThat(renew(claim)).isEqualTo(Ownership.OURS);
		assertThat(find()).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.leaseLeft()).isPositive());
	}

	@Test
	void a_renewal_of_a_vanished_claim_writes_it_anew() {
		IdempotencyRecord claim = RecordSamples.claim(this.id);
		assertThat(renew(claim)).isEqualTo(Ownership.OURS);
		assertThat(find()).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record()).isEqualTo(claim));
	}

	@Test
	void a_settle_of_a_vanished_claim_is_written() {
		IdempotencyRecord done = RecordSamples.done(RecordSamples.claim(this.id), "made");
		assertThat(settle(done)).isEqualTo(Ownership.OURS);
		assertFinished(find(), done);
	}

	@Test
	void a_renewal_does_not_extend_what_is_settled() {
		IdempotencyRecord claim = won();
		settle(RecordSamples.done(claim, "made", SHORT));
		assertThat(renew(claim)).isEqualTo(Ownership.OURS);
		awaitFree();
	}

	@Test
	void a_record_is_gone_when_its_time_is_over() {
		settle(RecordSamples.done(won(), "made", SHORT));
		awaitFree();
		assertThat(claim(RecordSamples.claim(this.id))).isInstanceOf(Claim.Won.class);
	}

	@Test
	void a_claim_is_gone_when_its_lifetime_is_over() {
		won(RecordSamples.claimLiving(this.id, SHORT));
		awaitFree();
	}

	@Test
	void a_claim_lapses_by_its_own_lease() {
		IdempotencyRecord silent = won(RecordSamples.claim(this.id, SHORT));
		Claim.UnknownOutcome seen = lapsed(Duration.ofHours(1));
		assertThat(seen.record()).isEqualTo(silent);
		assertThat(seen.lapsed()).isTrue();
		assertThat(seen.age()).isGreaterThan(SHORT);
	}

	@Test
	void the_settle_of_a_lapsed_owner_still_counts() {
		IdempotencyRecord silent = won(RecordSamples.claim(this.id, SHORT));
		lapsed(SHORT);
		IdempotencyRecord done = RecordSamples.done(silent, "late");
		assertThat(settle(done)).isEqualTo(Ownership.OURS);
		assertFinished(find(), done);
	}

	@Test
	void an_unknown_outcome_can_be_taken_over() {
		settle(RecordSamples.unknown(won()));
		IdempotencyRecord next = RecordSamples.claim(this.id).afterDoubt(1);
		assertThat(takeOver(unknown(), next)).isEqualTo(new Claim.Won(next));
		assertThat(find()).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record()).isEqualTo(next));
	}

	@Test
	void a_lapsed_claim_can_be_taken_over() {
		won(RecordSamples.claim(this.id, SHORT));
		IdempotencyRecord next = RecordSamples.claim(this.id).afterDoubt(1);
		assertThat(takeOver(lapsed(SHORT), next)).isEqualTo(new Claim.Won(next));
	}

	@Test
	void a_claim_that_was_renewed_meanwhile_is_not_taken_over() {
		IdempotencyRecord slow = won(RecordSamples.claim(this.id, Duration.ofSeconds(2)));
		Claim.UnknownOutcome seen = lapsed(Duration.ofSeconds(2));
		renew(slow);
		assertThat(takeOver(seen, RecordSamples.claim(this.id))).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record()).isEqualTo(slow));
	}

	@Test
	void what_was_settled_meanwhile_is_not_taken_over() {
		IdempotencyRecord claim = won();
		settle(RecordSamples.unknown(claim));
		Claim.UnknownOutcome seen = unknown();
		IdempotencyRecord done = RecordSamples.done(claim, "after all");
		settle(done);
		assertFinished(takeOver(seen, RecordSamples.claim(this.id)), done);
	}

	@Test
	void what_somebody_else_took_over_meanwhile_is_not_taken_over() {
		settle(RecordSamples.unknown(won()));
		Claim.UnknownOutcome seen = unknown();
		IdempotencyRecord next = RecordSamples.claim(this.id).afterDoubt(1);
		takeOver(seen, next);
		assertThat(takeOver(seen, RecordSamples.claim(this.id))).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record()).isEqualTo(next));
	}

	@Test
	void of_many_take_overs_at_once_one_wins() {
		settle(RecordSamples.unknown(won()));
		Claim.UnknownOutcome seen = unknown();
		List<Claim> claims = atOnce((number) -> store().takeOver(this.id, seen, RecordSamples.claim(this.id)));
		assertThat(claims).hasSize(MANY).filteredOn(Claim.Won.class::isInstance).hasSize(1);
	}

	@Test
	void what_has_vanished_meanwhile_is_claimed_by_a_take_over() {
		Claim.UnknownOutcome seen = new Claim.UnknownOutcome(RecordSamples.unknown(RecordSamples.claim(this.id)),
				Duration.ZERO);
		assertThat(takeOver(seen, RecordSamples.claim(this.id))).isInstanceOf(Claim.Won.class);
	}

	@Test
	void an_owner_who_was_taken_over_is_fenced_off() {
		IdempotencyRecord old = won();
		settle(RecordSamples.unknown(old));
		IdempotencyRecord next = RecordSamples.claim(this.id).afterDoubt(1);
		takeOver(unknown(), next);
		assertThat(renew(old)).isEqualTo(Ownership.FENCED);
		assertThat(settle(RecordSamples.done(old, "too late"))).isEqualTo(Ownership.FENCED);
		assertThat(release(old)).isEqualTo(Ownership.FENCED);
		assertThat(find()).isInstanceOfSatisfying(Claim.Running.class,
				(running) -> assertThat(running.record()).isEqualTo(next));
	}

	@Test
	void what_cannot_be_read_is_neither_executed_nor_touched() {
		IdempotencyRecord mine = RecordSamples.claim(this.id);
		for (String junk : List.of("garbage", "{", "null", "", "IG\u0002 from a newer version of this program")) {
			plant(this.id, junk.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1), Duration.ofMinutes(1));
			assertThat(claim(mine)).as(junk).isInstanceOf(Claim.Unreadable.class);
			assertThat(find()).as(junk).isInstanceOf(Claim.Unreadable.class);
			assertThat(renew(mine)).as(junk).isEqualTo(Ownership.FENCED);
			assertThat(release(mine)).as(junk).isEqualTo(Ownership.FENCED);
		}
	}

	@Test
	void a_record_copied_under_a_foreign_name_is_unreadable() {
		RecordId other = RecordSamples.id("somebody else");
		plant(this.id, RecordCodec.encode(RecordSamples.done(RecordSamples.claim(other), "his")),
				Duration.ofMinutes(1));
		assertThat(claim(RecordSamples.claim(this.id))).isInstanceOf(Claim.Unreadable.class);
	}

	@Test
	void what_cannot_be_read_is_forgotten_by_the_token_it_stands_under() {
		byte[] damaged = RecordCodec.encode(RecordSamples.done(RecordSamples.claim(this.id), "answer"));
		damaged[damaged.length - 1] ^= 1;
		plant(this.id, damaged, Duration.ofMinutes(1));
		OwnerToken owner = find().ownerIfAny();
		assertThat(owner).isNotNull();
		assertThat(store().forget(this.id, OwnerToken.random()).block()).isEqualTo(Ownership.FENCED);
		assertThat(find()).isInstanceOf(Claim.Unreadable.class);
		assertThat(store().forget(this.id, owner).block()).isEqualTo(Ownership.OURS);
		assertThat(claim(RecordSamples.claim(this.id))).isInstanceOf(Claim.Won.class);
	}

	@Test
	void a_large_answer_comes_back_as_it_was() {
		IdempotencyRecord done = RecordSamples.done(won(), "x".repeat(1 << 20));
		settle(done);
		assertFinished(claim(RecordSamples.claim(this.id)), done);
	}

	@Test
	void one_visitor_at_a_time_is_in_the_room() {
		OwnerToken first = OwnerToken.random();
		OwnerToken second = OwnerToken.random();
		assertThat(enter(first, Duration.ofMinutes(1))).isTrue();
		assertThat(enter(second, Duration.ofMinutes(1))).isFalse();
		store().leave(this.id, second).block();
		assertThat(enter(second, Duration.ofMinutes(1))).isFalse();
		store().leave(this.id, first).block();
		assertThat(enter(second, Duration.ofMinutes(1))).isTrue();
	}

	@Test
	void a_visitor_who_never_leaves_does_not_bar_the_room_for_ever() {
		assertThat(enter(OwnerToken.random(), SHORT)).isTrue();
		Awaitility.await().until(() -> enter(OwnerToken.random(), Duration.ofMinutes(1)));
	}

	@Test
	void the_room_is_no_record() {
		enter(OwnerToken.random(), Duration.ofMinutes(1));
		assertThat(claim(RecordSamples.claim(this.id))).isInstanceOf(Claim.Won.class);
	}

	private IdempotencyRecord won() {
		return won(RecordSamples.claim(this.id));
	}

	private IdempotencyRecord won(IdempotencyRecord claim) {
		assertThat(claim(claim)).isEqualTo(new Claim.Won(claim));
		return claim;
	}

	private Claim claim(IdempotencyRecord claim) {
		return store().claim(this.id, claim).block();
	}

	private Claim find() {
		return store().find(this.id).block();
	}

	private Claim takeOver(Claim.UnknownOutcome seen, IdempotencyRecord claim) {
		return store().takeOver(this.id, seen, claim).block();
	}

	private Ownership renew(IdempotencyRecord claim) {
		return store().renew(this.id, claim).block();
	}

	private Ownership settle(IdempotencyRecord settled) {
		return store().settle(this.id, settled).block();
	}

	private Ownership release(IdempotencyRecord claim) {
		return store().release(this.id, claim.owner()).block();
	}

	private boolean enter(OwnerToken visitor, Duration atMost) {
		return Boolean.TRUE.equals(store().enter(this.id, visitor, atMost).block());
	}

	private Claim.UnknownOutcome unknown() {
		return (Claim.UnknownOutcome) find();
	}

	/** What a claim with a lease of its own sees once the present owner is silent. */
	private Claim.UnknownOutcome lapsed(Duration ownLease) {
		IdempotencyRecord mine = RecordSamples.claim(this.id, ownLease);
		return (Claim.UnknownOutcome) Awaitility.await()
			.until(() -> claim(mine), Claim.UnknownOutcome.class::isInstance);
	}

	private void awaitFree() {
		Awaitility.await().until(() -> store().find(this.id).blockOptional().isEmpty());
	}

	private List<Claim> atOnce(java.util.function.IntFunction<Mono<Claim>> step) {
		return Flux.range(0, MANY)
			.flatMap((number) -> Mono.defer(() -> step.apply(number)).subscribeOn(Schedulers.boundedElastic()), MANY)
			.collectList()
			.block();
	}

	/** Answers compare by their octets, which records as such do not. */
	private static void assertFinished(Claim claim, IdempotencyRecord expected) {
		assertThat(claim).isInstanceOfSatisfying(Claim.Finished.class, (finished) -> {
			assertThat(finished.record().withResponse(null)).isEqualTo(expected.withResponse(null));
			StoredResponse answer = finished.record().response();
			assertThat(answer.status()).isEqualTo(expected.response().status());
			assertThat(answer.headers()).isEqualTo(expected.response().headers());
			assertThat(answer.body()).isEqualTo(expected.response().body());
		});
	}

}
