package dev.idempotency.store;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreStatus;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import dev.idempotency.testing.ForwardingStore;

import static org.assertj.core.api.Assertions.assertThat;

class StoreWarmUpTests {

	@AutoClose
	private final MemoryIdempotencyStore store = new MemoryIdempotencyStore(10_000_000);

	private final AtomicInteger claims = new AtomicInteger();

	@Test
	void claims_often_and_leaves_no_record() {
		new StoreWarmUp(new Counted(true)).walk().block();

		assertThat(this.claims).hasValueGreaterThanOrEqualTo(64 * 3);
		assertThat(this.store.usage().bytes()).isZero();
	}

	@Test
	void waits_for_a_store_that_is_away_no_longer_than_its_limit() {
		StepVerifier.withVirtualTime(() -> new StoreWarmUp(new Counted(false)).walk())
			.expectSubscription()
			.expectNoEvent(StoreWarmUp.LIMIT.minusMillis(1))
			.thenAwait(Duration.ofMillis(1))
			.verifyComplete();

		assertThat(this.claims).hasValue(0);
	}

	@Test
	void goes_on_after_a_call_that_failed() {
		StepVerifier.create(new StoreWarmUp(new Refusing()).walk()).verifyComplete();

		assertThat(this.claims).hasValueGreaterThan(1);
	}

	private Mono<Claim> counted(Mono<Claim> claim) {
		return claim.doOnSubscribe((subscription) -> this.claims.incrementAndGet());
	}

	private class Counted extends ForwardingStore {

		private final boolean serving;

		Counted(boolean serving) {
			super(StoreWarmUpTests.this.store);
			this.serving = serving;
		}

		@Override
		public StoreStatus status() {
			return new StoreStatus(this.serving, Map.of());
		}

		@Override
		public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
			return counted(super.claim(id, claim));
		}

	}

	private final class Refusing extends Counted {

		Refusing() {
			super(true);
		}

		@Override
		public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
			return counted(Mono.error(new StoreUnavailableException("It is full", null)));
		}

	}

}
