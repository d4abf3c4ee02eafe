package dev.idempotency.load.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a window showed, or the median of several.
 *
 * @param perSecond answers in a second
 * @param p50 milliseconds
 * @param p99 milliseconds
 * @param cpu microseconds of the gateway's processor time for each answer
 * @param allocated bytes on the gateway's heap for each answer
 */
record Measurement(double perSecond, double p50, double p99, double cpu, double allocated) {

	/** Of each figure by itself. */
	static Measurement median(List<Measurement> all) {
		return new Measurement(median(all, Measurement::perSecond), median(all, Measurement::p50),
				median(all, Measurement::p99), median(all, Measurement::cpu), median(all, Measurement::allocated));
	}

	static <T> double median(List<T> all, ToDoubleFunction<T> figure) {
		double[] sorted = all.stream().mapToDouble(figure).sorted().toArray();
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

}
