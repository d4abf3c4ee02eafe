package dev.idempotency.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.idempotency.core.IdempotencyPolicy.CircuitBreakerRules;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.StoredResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class CircuitTests {

	private static final Duration OPEN = Duration.ofMillis(100);

	private static final Outcome OK = new Outcome.Done(1, StoredResponse.tombstone(201), StoredResponse.tombstone(201));

	private static final Outcome DOWN = new Outcome.NotApplied(1, Reason.UNREACHABLE, null, null);

	private final AtomicLong now = new AtomicLong();

	private final Circuit circuit = circuit(true);

	@Test
	void opensAtTheFailureRateAndSaysForHowLong() {
		attempt(OK, OK, DOWN);
		assertThat(this.circuit.permit()).isNotNull();
		attempt(DOWN);
		assertThat(this.circuit.permit()).isNull();
		assertThat(this.circuit.openFor()).isEqualTo(OPEN);
		this.now.addAndGet(Duration.ofMillis(40).toNanos());
		assertThat(this.circuit.openFor()).isEqualTo(Duration.ofMillis(60));
	}

	@Test
	void countsDoubtAndServerErrorsAsFailures() {
		for (Outcome failure : List.of(new Outcome.Unknown(1, Reason.TIMEOUT, null, null, null), DOWN,
				new Outcome.NotApplied(1, Reason.STATUS, StoredResponse.tombstone(503), null),
				new Outcome.Done(1, StoredResponse.tombstone(501), StoredResponse.tombstone(501)))) {
			Circuit fresh = circuit(true);
			for (int i = 0; i < 4; i++) {
				Objects.requireNonNull(fresh.permit()).record(failure, 1);
			}
			assertThat(fresh.state()).as("%s", failure).isEqualTo("OPEN");
		}
	}

	@Test
	void doesNotCountRefusalsOfTheClient() {
		Outcome limited = new Outcome.NotApplied(1, Reason.STATUS, StoredResponse.tombstone(429), null);
		attempt(limited, limited, limited, limited);
		assertThat(this.circuit.state()).isEqualTo("CLOSED");
	}

	@Test
	void closesAgainEvenIfSomeWhoTriedNeverCameBack() {
		attempt(DOWN, DOWN, DOWN, DOWN);
		List<Circuit.Permit> trying = new ArrayList<>();
		await().until(() -> add(trying));
		assertThat(add(trying)).isTrue();
		assertThat(this.circuit.permit()).as("two are let through").isNull();
		trying.forEach(Circuit.Permit::giveBack);
		attempt(OK, OK);
		assertThat(this.circuit.state()).isEqualTo("CLOSED");
	}

	@Test
	void aPermitIsUsedUpOnce() {
		Circuit.Permit permit = Objects.requireNonNull(this.circuit.permit());
		for (int i = 0; i < 10; i++) {
			permit.record(DOWN, 1);
		}
		permit.giveBack();
		assertThat(this.circuit.state()).isEqualTo("CLOSED");
	}

	@Test
	void letsEverythingThroughWhereItIsOff() {
		Circuit off = circuit(false);
		for (int i = 0; i < 20; i++) {
			Objects.requireNonNull(off.permit()).record(DOWN, 1);
		}
		assertThat(off.permit()).isNotNull();
	}

	private boolean add(List<Circuit.Permit> permits) {
		Circuit.Permit permit = this.circuit.permit();
		return permit != null && permits.add(permit);
	}

	private void attempt(Outcome... outcomes) {
		for (Outcome outcome : outcomes) {
			Objects.requireNonNull(this.circuit.permit()).record(outcome, 1);
		}
	}

	private Circuit circuit(boolean enabled) {
		return new Circuit("r", new CircuitBreakerRules(enabled, 4, 4, 0.5, OPEN, 2), this.now::get);
	}

}
