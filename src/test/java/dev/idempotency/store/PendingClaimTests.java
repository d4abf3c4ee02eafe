package dev.idempotency.store;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;

import static org.assertj.core.api.Assertions.assertThat;

class PendingClaimTests {

	private final RecordId id = RecordSamples.id("pending");

	private final WithdrawnClaims withdrawn = new WithdrawnClaims(Duration.ofMillis(250), new StoreContact(),
			System::nanoTime);

	@ParameterizedTest
	@EnumSource(State.class)
	void of_what_was_sent_and_not_answered_only_a_running_claim_is_withdrawn(State state) {
		IdempotencyRecord claim = RecordSamples.claim(this.id);
		PendingClaim pending = new PendingClaim(this.id, new IdempotencyRecord(state, claim.owner(), claim.lifetime(),
				claim.lease(), claim.identityCheck(), claim.fingerprint(), false, 0, null), null);
		Mono<Void> lost = Mono.defer(() -> {
			pending.sent();
			return Mono.error(new StoreUnavailableException("no reply", null));
		});

		pending.guard(lost, this.withdrawn).onErrorComplete().block();

		assertThat(this.withdrawn.size()).isEqualTo((state == State.RUNNING) ? 1 : 0);
	}

}
