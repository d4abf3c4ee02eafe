package dev.idempotency.observability;

import java.util.Arrays;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Dashboards and alerts are written against these names. */
class IdempotencyMeterTests {

	@Test
	void names_are_the_documented_ones() {
		assertThat(Arrays.stream(IdempotencyMeter.values()).map(IdempotencyMeter::meterName)).containsExactlyInAnyOrder(
				"idempotency.requests", "idempotency.attempts", "idempotency.store", "idempotency.in_flight",
				"idempotency.leases.lapsed", "idempotency.late_answers", "idempotency.settle.failures",
				"idempotency.degraded", "idempotency.jobs", "idempotency.dead_letters",
				"idempotency.dead_letters.oldest", "idempotency.callbacks");
	}

}
