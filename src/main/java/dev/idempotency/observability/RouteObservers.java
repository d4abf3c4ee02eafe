package dev.idempotency.observability;

import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.micrometer.core.instrument.MeterRegistry;

import dev.idempotency.gateway.RouteEvents;

/**
 * One observer for each route, whatever becomes of its filters, and what they have seen.
 *
 * @since 0.1.0
 */
public final class RouteObservers implements Function<String, RouteEvents> {

	private final Map<String, RouteObserver> byRoute = new ConcurrentHashMap<>();

	private final MeterRegistry registry;

	private final Spans spans;

	private final OpenDoubts doubts;

	/**
	 * None yet.
	 * @param registry where meters are kept
	 * @param spans accompany attempts
	 * @param clock when something was seen
	 */
	public RouteObservers(MeterRegistry registry, Spans spans, InstantSource clock) {
		this.registry = registry;
		this.spans = spans;
		this.doubts = new OpenDoubts(clock);
	}

	@Override
	public RouteEvents apply(String route) {
		return this.byRoute.computeIfAbsent(route,
				(id) -> new RouteObserver(id, this.registry, this.spans, this.doubts));
	}

	OpenDoubts doubts() {
		return this.doubts;
	}

	/** What became of the requests so far, by route. */
	Map<String, RouteTally> tallies() {
		Map<String, RouteTally> tallies = new TreeMap<>();
		this.byRoute.forEach((route, observer) -> tallies.put(route, observer.tally()));
		return tallies;
	}

	/** Executions that did not take place because their key was known. */
	long saved() {
		return tallies().values().stream().mapToLong(RouteTally::saved).sum();
	}

}
