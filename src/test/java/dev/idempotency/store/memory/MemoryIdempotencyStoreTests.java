package dev.idempotency.store.memory;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.store.RecordSamples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MemoryIdempotencyStoreTests {

	private static final int SIZE = 20_000;

	private final AtomicLong now = new AtomicLong();

	private final MemoryIdempotencyStore store = new MemoryIdempotencyStore(SIZE, this.now::get);

	@AfterEach
	void close() {
		this.store.close();
	}

	@Test
	void a_full_store_turns_the_oldest_answers_into_tombstones() {
		RecordId first = settled("first", 4000);
		RecordId second = settled("second", 4000);
		settled("third", 4000);
		settled("fourth", 4000);
		settled("fifth", 4000);
		assertThat(answer(first)).usingRecursiveComparison().isEqualTo(StoredResponse.tombstone(201));
		assertThat(answer(second).isReplayable()).isTrue();
		assertThat(this.store.usage()).isEqualTo(new MemoryUsage(5, 4, this.store.usage().bytes(), SIZE));
		assertThat(this.store.usage().bytes()).isLessThanOrEqualTo(SIZE);
	}

	@Test
	void an_unknown_outcome_loses_its_answer_but_not_its_state() {
		RecordId id = RecordSamples.id("unknown");
		IdempotencyRecord claim = claimed(id);
		this.store
			.settle(id,
					claim.settled(State.UNKNOWN, Duration.ofHours(1), 1, RecordSamples.response(500, "x".repeat(9000))))
			.block();
		settled("a", 9000);
		settled("b", 9000);
		assertThat(this.store.find(id).block()).isInstanceOfSatisfying(Claim.UnknownOutcome.class,
				(unknown) -> assertThat(unknown.record().response()).usingRecursiveComparison()
					.isEqualTo(StoredResponse.tombstone(500)));
	}

	@Test
	void running_claims_are_never_sacrificed_and_a_store_full_of_them_refuses() {
		fill();
		int records = this.store.usage().records();
		assertThat(records).isGreaterThan(20);
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> claimed(RecordSamples.id("more")));
		assertThat(this.store.usage().records()).isEqualTo(records);
		assertThat(this.store.find(RecordSamples.id("fill-0")).block()).isInstanceOf(Claim.Running.class);
	}

	@Test
	void an_outcome_finds_room_in_a_full_store_if_need_be_without_its_answer() {
		fill();
		RecordId id = RecordSamples.id("fill-0");
		IdempotencyRecord claim = ((Claim.Running) this.store.find(id).block()).record();
		assertThat(this.store.settle(id, RecordSamples.done(claim, "x".repeat(9000))).block())
			.isEqualTo(Ownership.OURS);
		assertThat(answer(id)).usingRecursiveComparison().isEqualTo(StoredResponse.tombstone(201));
	}

	@Test
	void an_answer_larger_than_the_whole_store_costs_no_other_answer() {
		RecordId other = settled("other", 4000);
		RecordId huge = settled("huge", SIZE);
		assertThat(answer(huge).isReplayable()).isFalse();
		assertThat(answer(other).isReplayable()).isTrue();
	}

	@Test
	void what_expired_makes_room_without_anybody_asking_for_it() {
		fill();
		pass(Duration.ofMinutes(20));
		assertThat(this.store.claim(RecordSamples.id("next"), RecordSamples.claim(RecordSamples.id("next"))).block())
			.isInstanceOf(Claim.Won.class);
		this.store.beat();
		assertThat(this.store.usage().records()).isOne();
	}

	@Test
	void an_idle_store_lets_go_of_what_expired() {
		fill();
		pass(Duration.ofMinutes(20));
		this.store.beat();
		assertThat(this.store.usage()).isEqualTo(new MemoryUsage(0, 0, 0, SIZE));
	}

	@Test
	void a_record_lives_its_time_to_the_end() {
		RecordId id = RecordSamples.id("timely");
		this.store.settle(id, RecordSamples.done(claimed(id), "made", Duration.ofSeconds(10))).block();
		pass(Duration.ofSeconds(10).minusNanos(1));
		assertThat(this.store.find(id).block()).isInstanceOf(Claim.Finished.class);
		pass(Duration.ofNanos(1));
		assertThat(this.store.find(id).blockOptional()).isEmpty();
	}

	@Test
	void a_renewal_counts_from_when_it_comes() {
		RecordId id = RecordSamples.id("renewed");
		IdempotencyRecord claim = RecordSamples.claimLiving(id, Duration.ofSeconds(10));
		this.store.claim(id, claim).block();
		pass(Duration.ofSeconds(9));
		this.store.renew(id, claim).block();
		pass(Duration.ofSeconds(9));
		assertThat(this.store.find(id).blockOptional()).isPresent();
		pass(Duration.ofSeconds(1));
		assertThat(this.store.find(id).blockOptional()).isEmpty();
	}

	@Test
	void a_process_that_was_frozen_judges_nobody_lapsed_before_a_lease_is_over() {
		RecordId id = RecordSamples.id("frozen");
		this.store.claim(id, RecordSamples.claim(id, Duration.ofSeconds(5))).block();
		this.now.addAndGet(Duration.ofSeconds(60).toNanos());
		assertThat(this.store.find(id).block()).isInstanceOf(Claim.Running.class);
		pass(Duration.ofSeconds(4));
		assertThat(this.store.find(id).block()).isInstanceOf(Claim.Running.class);
		pass(Duration.ofSeconds(2));
		assertThat(this.store.find(id).block()).isInstanceOf(Claim.UnknownOutcome.class);
	}

	@Test
	void a_released_claim_leaves_nothing_behind() {
		RecordId id = RecordSamples.id("released");
		this.store.release(id, claimed(id).owner()).block();
		assertThat(this.store.usage()).isEqualTo(new MemoryUsage(0, 0, 0, SIZE));
	}

	private void fill() {
		try {
			for (int i = 0; i < SIZE; i++) {
				claimed(RecordSamples.id("fill-" + i));
			}
		}
		catch (StoreUnavailableException ex) {
			return;
		}
		throw new AssertionError("the store never was full");
	}

	private IdempotencyRecord claimed(RecordId id) {
		IdempotencyRecord claim = RecordSamples.claim(id);
		this.store.claim(id, claim).block();
		return claim;
	}

	private RecordId settled(String name, int length) {
		RecordId id = RecordSamples.id(name);
		this.store.settle(id, RecordSamples.done(claimed(id), "x".repeat(length))).block();
		return id;
	}

	private StoredResponse answer(RecordId id) {
		return ((Claim.Finished) this.store.find(id).block()).record().response();
	}

	/** Time in which the process was not frozen. */
	private void pass(Duration time) {
		long end = this.now.get() + time.toNanos();
		while (end - this.now.get() > 500_000_000) {
			this.now.addAndGet(500_000_000);
			this.store.beat();
		}
		this.now.set(end);
	}

}
