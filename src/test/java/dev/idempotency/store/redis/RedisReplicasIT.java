package dev.idempotency.store.redis;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.RecordSamples;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Claims that count only when a replica has them. */
@Slow
class RedisReplicasIT {

	private final RecordId id = RecordSamples.id("replicas");

	private RedisServer primary;

	private RedisServer replica;

	private RedisIdempotencyStore store;

	@BeforeEach
	void start() {
		this.primary = RedisServer.start();
		this.replica = RedisServer.replicaOf(this.primary);
		this.store = RedisConnectionSamples.connected(RedisConnectionSamples.standalone(this.primary.port()),
				new RedisStoreSettings(Duration.ofMillis(500), 1, "idempotency:"));
	}

	@AfterEach
	void stop() {
		this.store.close();
		this.replica.close();
		this.primary.close();
	}

	@Test
	void a_claim_is_on_the_replica_when_it_is_won() {
		assertThat(this.store.claim(this.id, RecordSamples.claim(this.id)).block()).isInstanceOf(Claim.Won.class);
		assertThat(this.replica.command("EXISTS", key())).isEqualTo("1");
	}

	@Test
	void a_claim_without_a_replica_fails_and_leaves_nothing_behind() {
		this.replica.kill();
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> this.store.claim(this.id, RecordSamples.claim(this.id)).block())
			.withMessageStartingWith("Only 0 of 1 replicas have the claim");
		Awaitility.await().until(() -> this.primary.command("EXISTS", key()).equals("0"));
	}

	@Test
	void a_take_over_without_a_replica_fails_and_the_outcome_stays_unknown() {
		IdempotencyRecord claim = RecordSamples.claim(this.id);
		this.store.claim(this.id, claim).block();
		this.store.settle(this.id, RecordSamples.unknown(claim)).block();
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) this.store.find(this.id).block();
		this.replica.kill();
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> this.store.takeOver(this.id, seen, RecordSamples.claim(this.id)).block());
		assertThat(this.store.find(this.id).block()).isInstanceOf(Claim.UnknownOutcome.class);
		Awaitility.await().until(() -> this.store.withdrawnClaims() == 0);
		assertThat(this.store.find(this.id).block()).isInstanceOf(Claim.UnknownOutcome.class);
	}

	@Test
	void replays_need_no_replica() {
		IdempotencyRecord claim = RecordSamples.claim(this.id);
		this.store.claim(this.id, claim).block();
		this.store.settle(this.id, RecordSamples.done(claim, "made")).block();
		this.replica.kill();
		assertThat(this.store.claim(this.id, RecordSamples.claim(this.id)).block()).isInstanceOf(Claim.Finished.class);
	}

	@Test
	void claims_that_wait_for_a_missing_replica_hold_nobody_else_up() {
		this.replica.kill();
		this.store.claim(this.id, RecordSamples.claim(this.id)).subscribe((claim) -> {
		}, (failure) -> {
		});
		long begun = System.nanoTime();
		this.store.find(RecordSamples.id("free")).blockOptional();
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(300));
	}

	private String key() {
		return "idempotency:{" + this.id.digest() + "}";
	}

}
