package dev.idempotency.load.bench;

import java.util.Map;

/**
 * The figures of one store and one size.
 *
 * @param store of the gateway
 * @param size of the bodies
 * @param cases medians by the case's name, in the order of the report
 * @param roundTrips to Redis for one request, by the case's name
 * @param recordOverhead bytes of a record in Redis that are not the answer's own body and
 * headers, or 0 where there is no such record
 * @param rate at which the latencies at half of capacity were taken, in a second
 * @param addedP99 milliseconds that the 99th percentile of new keys is above that of the
 * bare route at that rate
 */
record Result(String store, String size, Map<String, Measurement> cases, Map<String, Double> roundTrips,
		long recordOverhead, double rate, double addedP99) {

	double cpuRatio(String name, String base) {
		return get(name).cpu() / get(base).cpu();
	}

	Measurement get(String name) {
		Measurement found = this.cases.get(name);
		if (found == null) {
			throw new IllegalArgumentException("not measured: " + name);
		}
		return found;
	}

}
