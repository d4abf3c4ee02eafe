package dev.idempotency.gateway;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.http.HttpStatus;

import dev.idempotency.core.Claim;
import dev.idempotency.core.EngineEvents;
import dev.idempotency.core.Fingerprint;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.KeyedRequest;
import dev.idempotency.core.PolicySample;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.memory.MemoryIdempotencyStore;

import static org.assertj.core.api.Assertions.assertThat;

class ObservationTests {

	private static final RecordId ID = RecordId.of(List.of("caller", "key"));

	private final MemoryIdempotencyStore store = new MemoryIdempotencyStore(1 << 20);

	private final Observation observation = new Observation(policy(), this.store, EngineEvents.NONE, () -> ID,
			body -> new KeyedRequest(ID, new Fingerprint(1, new byte[32], new byte[32]), Duration.ZERO));

	@Test
	void anAnswerIsRecorded() {
		this.observation.whole(new byte[0]);
		this.observation.answered(HttpStatus.CREATED);
		assertThat(this.store.find(ID).block()).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void anAnswerThatOvertakesTheEndOfTheBodyIsRecorded() {
		this.observation.answered(HttpStatus.CREATED);
		this.observation.whole(new byte[0]);
		assertThat(this.store.find(ID).block()).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void anAnswerThatFreesTheKeyDoesSoWhenItOvertakesTheEndOfTheBody() {
		this.observation.answered(HttpStatus.SERVICE_UNAVAILABLE);
		this.observation.whole(new byte[0]);
		assertThat(this.store.find(ID).block()).isNull();
	}

	private static IdempotencyPolicy policy() {
		return PolicySample.hold();
	}

}
