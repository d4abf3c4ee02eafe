package dev.idempotency.load.bench;

import java.time.Duration;
import java.util.Arrays;

/**
 * What the client saw in one window.
 *
 * @param answers how many came as expected
 * @param others how many came otherwise
 * @param time from the first request to the last answer
 * @param latencies of all, in nanoseconds, sorted
 */
record Sample(long answers, long others, Duration time, long[] latencies) {

	Sample {
		Arrays.sort(latencies);
	}

	double perSecond() {
		return this.answers / (this.time.toNanos() / 1e9);
	}

	/** In milliseconds. */
	double percentile(double share) {
		int index = (int) Math.min(this.latencies.length - 1L, Math.round(share * this.latencies.length));
		return (this.latencies.length == 0) ? Double.NaN : this.latencies[index] / 1e6;
	}

}
