package dev.idempotency.observability;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.memory.MemoryIdempotencyStore;

import static org.assertj.core.api.Assertions.assertThat;

/** A store whose steps are measured. */
class ObservedStoreTests {

	private static final RecordId ID = Records.ID;

	private final Records records = new Records();

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final ObservedStore store = new ObservedStore(this.records.store, this.registry, Spans.NONE);

	@AfterEach
	void close() {
		this.records.close();
	}

	private long count(String operation, String result) {
		return this.registry.get("idempotency.store")
			.tags("store", "memory", "operation", operation, "result", result)
			.timer()
			.count();
	}

	@Test
	void a_claim_is_counted_by_what_is_there() {
		IdempotencyRecord claim = Records.claim(ID);
		claim();
		this.store.claim(ID, claim).block();
		assertThat(count("claim", "running")).isOne();
		assertThat(count("claim", "won")).isOne();
		this.records.pass(Records.LEASE.plusSeconds(1));
		claim();
		assertThat(count("claim", "unknown")).isOne();
	}

	private Claim claim() {
		return this.store.claim(ID, Records.claim(ID)).block();
	}

	@Test
	void a_finished_and_an_unreadable_record_are_told_apart() {
		this.records.settled(State.DONE, Records.ANSWER);
		this.store.find(ID).block();
		this.store.find(new RecordId(ID.digest(), ID.check() + 1)).block();
		assertThat(count("find", "finished")).isOne();
		assertThat(count("find", "unreadable")).isOne();
	}

	@Test
	void every_step_goes_to_the_store_and_is_measured() {
		IdempotencyRecord lapsed = this.records.lapsed();
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) this.store.find(ID).block();
		IdempotencyRecord mine = Records.claim(ID);
		this.store.takeOver(ID, seen, mine).block();
		this.store.renew(ID, mine).block();
		this.store.renew(ID, lapsed).block();
		this.store.settle(ID, mine.settled(State.DONE, Duration.ofMinutes(1), 1, Records.ANSWER)).block();
		this.store.release(ID, lapsed.owner()).block();
		this.store.forget(ID, mine.owner()).block();
		OwnerToken visitor = OwnerToken.random();
		this.store.enter(ID, visitor, Duration.ofSeconds(1)).block();
		this.store.leave(ID, visitor).block();
		assertThat(count("take_over", "won")).isOne();
		assertThat(count("renew", "ok")).isOne();
		assertThat(count("renew", "fenced")).isOne();
		assertThat(count("settle", "ok")).isOne();
		assertThat(count("release", "fenced")).isOne();
		assertThat(count("forget", "ok")).isOne();
		assertThat(count("enter", "ok")).isOne();
		assertThat(count("leave", "ok")).isOne();
		assertThat(this.records.found()).isNull();
	}

	@Test
	void a_store_that_cannot_be_reached_is_counted_and_its_error_passed_on() {
		try (MemoryIdempotencyStore full = new MemoryIdempotencyStore(0)) {
			ObservedStore observed = new ObservedStore(full, this.registry, Spans.NONE);
			StepVerifier.create(observed.claim(ID, Records.claim(ID))).verifyError(StoreUnavailableException.class);
			assertThat(count("claim", "unavailable")).isOne();
		}
	}

	@Test
	void a_step_is_measured_each_time_it_is_carried_out_and_not_before() {
		Mono<Claim> step = this.store.find(ID);
		assertThat(this.registry.getMeters()).isEmpty();
		step.block();
		step.block();
		assertThat(count("find", "ok")).isEqualTo(2);
		assertThat(this.registry.get("idempotency.store").timer().totalTime(TimeUnit.NANOSECONDS)).isPositive();
	}

	@Test
	void a_claim_is_not_lost_because_it_cannot_be_counted() {
		MeterRegistry broken = new SimpleMeterRegistry();
		broken.config().onMeterAdded((meter) -> {
			throw new IllegalStateException("no more meters");
		});
		assertThat(new ObservedStore(this.records.store, broken, Spans.NONE).claim(ID, Records.claim(ID)).block())
			.isInstanceOf(Claim.Won.class);
	}

	@Test
	void a_hundred_thousand_keys_add_no_series() {
		Function<Integer, RecordId> id = (number) -> RecordId.of(List.of("caller-" + number, "key-" + number));
		this.store.claim(id.apply(0), Records.claim(id.apply(0))).block();
		int before = this.registry.getMeters().size();
		for (int i = 1; i < 100_000; i++) {
			this.store.claim(id.apply(i), Records.claim(id.apply(i))).block();
		}
		assertThat(this.registry.getMeters()).hasSize(before);
		assertThat(count("claim", "won")).isEqualTo(100_000);
	}

}
