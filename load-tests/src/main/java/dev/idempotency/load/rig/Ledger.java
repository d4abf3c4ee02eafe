package dev.idempotency.load.rig;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

/** What a backend has done, kept as a bank would: one line for each key. */
public final class Ledger {

	private final LongAdder arrivals = new LongAdder();

	private final LongAdder executions = new LongAdder();

	private final @Nullable Map<String, Integer> keys;

	private Ledger(@Nullable Map<String, Integer> keys) {
		this.keys = keys;
	}

	static Ledger ofKeys() {
		return new Ledger(new ConcurrentHashMap<>());
	}

	static Ledger ofTotals() {
		return new Ledger(null);
	}

	void arrived() {
		this.arrivals.increment();
	}

	/**
	 * Takes down that something was done.
	 * @param key for which key
	 * @return how often for this key, this time included; 0 if only totals are kept
	 */
	int executed(String key) {
		this.executions.increment();
		return (this.keys != null) ? this.keys.merge(key, 1, Integer::sum) : 0;
	}

	/** Whether each key has its line. */
	boolean knowsKeys() {
		return this.keys != null;
	}

	/** Requests that were read to their end, whatever came of them. */
	public long arrivals() {
		return this.arrivals.sum();
	}

	/** How often something was done. */
	public long executions() {
		return this.executions.sum();
	}

	/** For how many keys something was done. */
	public long keys() {
		return known().size();
	}

	/** For how many keys it was done more than once: the fault that must not be. */
	public long repeatedKeys() {
		return known().values().stream().filter((times) -> times > 1).count();
	}

	private Map<String, Integer> known() {
		return Objects.requireNonNull(this.keys, "this backend keeps no account of keys");
	}

	/** All of it, for those who ask over HTTP. */
	String json() {
		return "{\"arrivals\":" + arrivals() + ",\"executions\":" + executions() + ",\"keys\":" + keys()
				+ ",\"repeatedKeys\":" + repeatedKeys() + "}";
	}

}
