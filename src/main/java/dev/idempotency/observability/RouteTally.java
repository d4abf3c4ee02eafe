package dev.idempotency.observability;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

import dev.idempotency.core.RequestResult;

/** What became of the requests of one route since the start, for the endpoint. */
final class RouteTally {

	/** Each of these would have been another execution. */
	private static final Set<RequestResult> SAVED = Collections.unmodifiableSet(EnumSet.of(RequestResult.REPLAYED,
			RequestResult.IN_PROGRESS, RequestResult.UNKNOWN_HELD, RequestResult.REPLAY_UNAVAILABLE));

	private final Map<RequestResult, LongAdder> counts = new EnumMap<>(RequestResult.class);

	RouteTally() {
		for (RequestResult result : RequestResult.values()) {
			this.counts.put(result, new LongAdder());
		}
	}

	void add(RequestResult result) {
		LongAdder count = this.counts.get(result);
		if (count != null) {
			count.increment();
		}
	}

	/** The results there were, by the names they have as tags. */
	Map<String, Long> byResult() {
		Map<String, Long> some = new TreeMap<>();
		this.counts.forEach((result, count) -> {
			if (count.sum() > 0) {
				some.put(result.tag(), count.sum());
			}
		});
		return some;
	}

	/** Executions that did not take place because their key was known. */
	long saved() {
		return SAVED.stream().mapToLong((result) -> count(result)).sum();
	}

	private long count(RequestResult result) {
		LongAdder count = this.counts.get(result);
		return (count != null) ? count.sum() : 0;
	}

}
