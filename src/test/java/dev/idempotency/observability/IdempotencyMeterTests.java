package dev.idempotency.observability;

import java.util.Arrays;

import io.micrometer.core.instrument.Meter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Dashboards and alerts are written against these names. */
class IdempotencyMeterTests {

	@Test
	void names_of_the_contract_are_there() {
		assertThat(Arrays.stream(IdempotencyMeter.values()).map(IdempotencyMeter::getName)).contains(
				"idempotency.requests", "idempotency.attempts", "idempotency.store", "idempotency.in_flight",
				"idempotency.leases.lapsed", "idempotency.late_answers", "idempotency.settle.failures",
				"idempotency.degraded", "idempotency.jobs", "idempotency.dead_letters",
				"idempotency.dead_letters.oldest", "idempotency.callbacks");
	}

	@Test
	void only_the_five_bounded_tags_are_used() {
		assertThat(MeterTag.values()).extracting(MeterTag::asString)
			.containsExactlyInAnyOrder("route", "result", "store", "operation", "status");
	}

	@ParameterizedTest
	@EnumSource(IdempotencyMeter.class)
	void each_is_documented(IdempotencyMeter meter) {
		assertThat(meter.description()).isNotBlank();
		assertThat(meter.getType()).isIn(Meter.Type.COUNTER, Meter.Type.TIMER, Meter.Type.GAUGE);
		assertThat(meter.getKeyNames()).doesNotHaveDuplicates();
	}

}
