package dev.idempotency.observability;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.docs.MeterDocumentation;

/**
 * Every meter there is. The values of all tags come from the configuration and from
 * enums: no client can make series.
 *
 * @since 0.1.0
 */
public enum IdempotencyMeter implements MeterDocumentation {

	REQUESTS("idempotency.requests", Meter.Type.COUNTER, "Requests of the covered methods, by what became of them",
			MeterTag.ROUTE, MeterTag.RESULT),
	BYPASSED("idempotency.bypassed", Meter.Type.COUNTER,
			"Requests that went through unprotected, by the reason: switched_off, no_key, store_unavailable",
			MeterTag.ROUTE, MeterTag.RESULT),
	ATTEMPTS("idempotency.attempts", Meter.Type.COUNTER,
			"Calls of the backend, by what is known of the work after them", MeterTag.ROUTE, MeterTag.RESULT),
	RESENDS("idempotency.resends", Meter.Type.COUNTER, "Those of them that were not the first of their operation",
			MeterTag.ROUTE),
	STORE("idempotency.store", Meter.Type.TIMER, "Steps of a store; the result unavailable is an error of the store",
			MeterTag.STORE, MeterTag.OPERATION, MeterTag.RESULT),
	STORE_SERVING("idempotency.store.serving", Meter.Type.GAUGE,
			"1 while calls of the store have a prospect of success, else 0", MeterTag.STORE),
	IN_FLIGHT("idempotency.in_flight", Meter.Type.GAUGE,
			"Operations that run in this instance, late and unsettled ones included"),
	IN_FLIGHT_OLDEST("idempotency.in_flight.oldest", Meter.Type.GAUGE, "seconds",
			"For how many seconds the oldest of them has been running"),
	LEASES_LAPSED("idempotency.leases.lapsed", Meter.Type.COUNTER,
			"Requests that met a claim whose owner had fallen silent", MeterTag.ROUTE),
	LATE_ANSWERS("idempotency.late_answers", Meter.Type.COUNTER,
			"Answers that came after their client had been told of a timeout", MeterTag.ROUTE),
	SETTLE_FAILURES("idempotency.settle.failures", Meter.Type.COUNTER,
			"Outcomes and releases that could not be written at once", MeterTag.ROUTE),
	DEGRADED("idempotency.degraded", Meter.Type.COUNTER,
			"Requests served with less protection than usual; route * counts claims of the tiers made without Redis",
			MeterTag.ROUTE),
	JOBS("idempotency.jobs", Meter.Type.COUNTER, "Jobs accepted, and how they ended", MeterTag.ROUTE, MeterTag.STATUS),
	DEAD_LETTERS("idempotency.dead_letters", Meter.Type.GAUGE, "Dead letters that wait for an operator"),
	DEAD_LETTERS_OLDEST("idempotency.dead_letters.oldest", Meter.Type.GAUGE, "seconds",
			"For how many seconds the oldest of them has been waiting"),
	CALLBACKS("idempotency.callbacks", Meter.Type.COUNTER, "Posts of the ends of jobs", MeterTag.ROUTE,
			MeterTag.RESULT);

	private final String meterName;

	private final Meter.Type type;

	private final String unit;

	private final String description;

	private final KeyName[] tags;

	IdempotencyMeter(String meterName, Meter.Type type, String description, MeterTag... tags) {
		this(meterName, type, "", description, tags);
	}

	IdempotencyMeter(String meterName, Meter.Type type, String unit, String description, MeterTag... tags) {
		this.meterName = meterName;
		this.type = type;
		this.unit = unit;
		this.description = description;
		this.tags = tags.clone();
	}

	/** The name under which it is registered. */
	public String meterName() {
		return this.meterName;
	}

	/** What it tells, in one sentence. */
	public String description() {
		return this.description;
	}

	@Override
	public String getName() {
		return this.meterName;
	}

	@Override
	public Meter.Type getType() {
		return this.type;
	}

	@Override
	public String getBaseUnit() {
		return (this.type == Meter.Type.TIMER) ? "seconds" : this.unit;
	}

	@Override
	public KeyName[] getKeyNames() {
		return this.tags.clone();
	}

}
