package dev.idempotency.observability;

/**
 * Every meter there is. Tags are {@code route}, {@code result}, {@code status},
 * {@code store} and {@code operation}, whose values come from the configuration and from
 * enums: no client can make series.
 *
 * @since 0.1.0
 */
public enum IdempotencyMeter {

	/** Counter by {@code route} and {@code result}: requests by what became of them. */
	REQUESTS("idempotency.requests"),
	/** Counter by {@code route} and {@code result}: calls of the backend. */
	ATTEMPTS("idempotency.attempts"),
	/** Timer by {@code store}, {@code operation} and {@code result}: steps of a store. */
	STORE("idempotency.store"),
	/** Gauge: operations that run in this instance now. */
	IN_FLIGHT("idempotency.in_flight"),
	/**
	 * Counter by {@code route}: requests that met a claim whose owner had fallen silent.
	 */
	LEASES_LAPSED("idempotency.leases.lapsed"),
	/**
	 * Counter by {@code route}: answers that came after their client had been told of a
	 * timeout.
	 */
	LATE_ANSWERS("idempotency.late_answers"),
	/**
	 * Counter by {@code route}: outcomes and releases that could not be written at once.
	 */
	SETTLE_FAILURES("idempotency.settle.failures"),
	/** Counter by {@code route}: requests served with less protection than usual. */
	DEGRADED("idempotency.degraded"),
	/** Counter by {@code route} and {@code status}: jobs accepted, and how they ended. */
	JOBS("idempotency.jobs"),
	/** Gauge: dead letters that wait for an operator. */
	DEAD_LETTERS("idempotency.dead_letters"),
	/** Gauge: age of the oldest dead letter in seconds, 0 if there is none. */
	DEAD_LETTERS_OLDEST("idempotency.dead_letters.oldest"),
	/** Counter by {@code route} and {@code result}: posts of ends of jobs. */
	CALLBACKS("idempotency.callbacks");

	/** Tag: the route's id. */
	public static final String ROUTE = "route";

	/** Tag: what came of it. */
	public static final String RESULT = "result";

	/** Tag: how far a job is. */
	public static final String STATUS = "status";

	/** Tag: name of the store. */
	public static final String STORE_NAME = "store";

	/** Tag: step of the store. */
	public static final String OPERATION = "operation";

	private final String meterName;

	IdempotencyMeter(String meterName) {
		this.meterName = meterName;
	}

	/** The name under which it is registered. */
	public String meterName() {
		return this.meterName;
	}

}
