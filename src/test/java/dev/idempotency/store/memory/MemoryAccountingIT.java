package dev.idempotency.store.memory;

import java.util.function.IntFunction;

import org.junit.jupiter.api.Test;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.RecordSamples;

import static org.assertj.core.api.Assertions.assertThat;

/** What the store says it occupies, held against the heap. */
class MemoryAccountingIT {

	private static final int RECORDS = 50_000;

	@Test
	void a_claim_occupies_no_more_than_is_said() {
		assertHonest((number) -> null);
	}

	@Test
	void an_answer_occupies_no_more_than_is_said() {
		assertHonest((number) -> "x".repeat(500));
	}

	private static void assertHonest(IntFunction<String> answer) {
		try (MemoryIdempotencyStore store = new MemoryIdempotencyStore(Long.MAX_VALUE)) {
			fill(store, 10, answer);
			long before = used();
			fill(store, RECORDS, answer);
			long occupied = used() - before;
			assertThat(occupied).isLessThanOrEqualTo(store.usage().bytes()).isGreaterThan(store.usage().bytes() / 2);
		}
	}

	private static void fill(MemoryIdempotencyStore store, int count, IntFunction<String> answer) {
		for (int number = 0; number < count; number++) {
			RecordId id = RecordSamples.id(count + "-" + number);
			IdempotencyRecord claim = RecordSamples.claim(id);
			store.claim(id, claim).block();
			String body = answer.apply(number);
			if (body != null) {
				store.settle(id, RecordSamples.done(claim, body)).block();
			}
		}
	}

	private static long used() {
		for (int i = 0; i < 3; i++) {
			System.gc();
		}
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

}
