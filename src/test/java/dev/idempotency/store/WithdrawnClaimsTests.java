package dev.idempotency.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;

import static org.assertj.core.api.Assertions.assertThat;

class WithdrawnClaimsTests {

	private static final Duration LIMIT = Duration.ofMillis(250);

	private static final RecordId ID = RecordSamples.id("withdrawn");

	private final AtomicLong now = new AtomicLong();

	private final StoreContact contact = new StoreContact(this.now::get);

	private final WithdrawnClaims claims = new WithdrawnClaims(LIMIT, this.contact, this.now::get);

	private final OwnerToken token = OwnerToken.random();

	private final List<OwnerToken> undone = new ArrayList<>();

	@BeforeEach
	void withdraw() {
		this.claims.add(ID, this.token, null);
	}

	@Test
	void a_claim_is_undone_again_and_again_until_it_cannot_arrive_any_more() {
		this.contact.succeeded();
		for (int tries = 1; tries <= 4; tries++) {
			pass(LIMIT);
			undo();
			assertThat(this.undone).hasSize(tries);
			assertThat(this.claims.get(this.token)).as("after " + tries)
				.isEqualTo((tries < 4) ? this.claims.get(this.token) : null);
		}
		undo();
		assertThat(this.undone).hasSize(4);
		assertThat(this.claims.size()).isZero();
	}

	@Test
	void a_claim_is_kept_while_the_store_does_not_answer() {
		this.contact.succeeded();
		for (int tries = 0; tries < 20; tries++) {
			pass(LIMIT);
			this.claims.undo((lost) -> Mono.error(new IllegalStateException("no answer")));
		}
		assertThat(this.claims.get(this.token)).isNotNull();
	}

	@Test
	void an_answer_right_after_an_outage_is_not_the_last_word() {
		this.now.addAndGet(Duration.ofMinutes(1).toNanos());
		this.contact.succeeded();
		undo();
		assertThat(this.claims.get(this.token)).as("an older connection may be read later").isNotNull();
		for (int i = 0; i < 4; i++) {
			pass(LIMIT);
		}
		undo();
		assertThat(this.claims.get(this.token)).isNull();
	}

	@Test
	void a_further_send_begins_the_wait_anew() {
		this.contact.succeeded();
		for (int i = 0; i < 3; i++) {
			pass(LIMIT);
		}
		this.claims.add(ID, this.token, null);
		pass(LIMIT);
		undo();
		assertThat(this.claims.get(this.token)).isNotNull();
		assertThat(this.claims.size()).isOne();
		for (int i = 0; i < 3; i++) {
			pass(LIMIT);
		}
		undo();
		assertThat(this.claims.size()).isZero();
	}

	@Test
	void what_else_is_to_be_done_is_done_once_at_the_end() {
		List<OwnerToken> told = new ArrayList<>();
		this.claims.whenUndone((id, token) -> Mono.fromRunnable(() -> told.add(token)));
		this.contact.succeeded();
		for (int tries = 0; tries < 3; tries++) {
			pass(LIMIT);
			undo();
		}
		assertThat(told).isEmpty();
		pass(LIMIT);
		undo();
		undo();
		assertThat(told).containsExactly(this.token);
	}

	@Test
	void only_a_few_are_undone_at_the_same_time_and_the_others_after_them() {
		List<Sinks.Empty<Void>> calls = new ArrayList<>();
		for (int i = 1; i < 20; i++) {
			this.claims.add(ID, OwnerToken.random(), null);
		}
		for (int rounds = 0; rounds < 3; rounds++) {
			this.claims.undo((lost) -> {
				calls.add(Sinks.empty());
				return calls.get(calls.size() - 1).asMono();
			});
		}
		assertThat(calls).hasSize(4);
		for (int i = 0; i < 20; i++) {
			calls.get(i).tryEmitEmpty();
		}
		assertThat(calls).hasSize(20);
	}

	@Test
	void the_list_is_bounded_by_number() {
		assertThat(this.claims.isFull()).isFalse();
		for (int i = 1; i < WithdrawnClaims.CAPACITY; i++) {
			this.claims.add(ID, OwnerToken.random(), null);
		}
		assertThat(this.claims.isFull()).isTrue();
	}

	@Test
	void the_list_is_bounded_by_the_answers_it_holds() {
		IdempotencyRecord record = RecordSamples.claim(ID)
			.settled(State.UNKNOWN, Duration.ofHours(1), 1, RecordSamples.response(500, "x".repeat(1 << 20)));
		for (int i = 0; i < 32; i++) {
			this.claims.add(ID, OwnerToken.random(), new Claim.UnknownOutcome(record, Duration.ZERO));
		}
		assertThat(this.claims.isFull()).isTrue();
	}

	@Test
	void room_comes_back_with_the_answers_that_were_put_back() {
		StoredResponse answer = RecordSamples.response(500, "x".repeat(33 << 20));
		IdempotencyRecord record = RecordSamples.claim(ID).settled(State.UNKNOWN, Duration.ofHours(1), 1, answer);
		this.claims.add(ID, OwnerToken.random(), new Claim.UnknownOutcome(record, Duration.ZERO));
		assertThat(this.claims.isFull()).isTrue();
		this.contact.succeeded();
		for (int i = 0; i < 5; i++) {
			pass(LIMIT);
		}
		undo();
		assertThat(this.claims.isFull()).isFalse();
	}

	private void undo() {
		this.claims.undo((lost) -> Mono.fromRunnable(() -> this.undone.add(lost.token())));
	}

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
		this.contact.succeeded();
	}

}
