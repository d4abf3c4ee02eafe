package dev.idempotency.load.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/**
 * What the client saw in one window.
 *
 * @param answers how many came as expected
 * @param otherStatuses how many came with which other status
 * @param time from the first request to the last answer
 * @param latencies of all, in nanoseconds, sorted
 */
record Sample(long answers, Map<Integer, Long> otherStatuses, Duration time, long[] latencies) {

	Sample {
		Arrays.sort(latencies);
	}

	/** How many answers came otherwise than expected. */
	long others() {
		return this.otherStatuses.values().stream().mapToLong(Long::longValue).sum();
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
