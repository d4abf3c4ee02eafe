package dev.idempotency.upstream;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import dev.idempotency.gateway.ProtectedRoutes;
import dev.idempotency.testing.RunningGateway;

import static org.awaitility.Awaitility.await;

/** What a test may know of a route from within: its permits and what it counted. */
final class RouteState {

	private final RunningGateway gateway;

	private final String route;

	RouteState(RunningGateway gateway, String route) {
		this.gateway = gateway;
		this.route = route;
	}

	UpstreamRoute upstream() {
		return this.gateway.bean(ProtectedRoutes.class)
			.current()
			.filter((filter) -> filter.routeId().equals(this.route))
			.mapNotNull(ProtectedRoutes.Filter::upstream)
			.blockFirst();
	}

	/** Attempts by what they came to, in the words of the meter. */
	Map<String, Integer> attempts() {
		Map<String, Integer> counts = new TreeMap<>();
		for (Counter counter : this.gateway.bean(MeterRegistry.class)
			.find("idempotency.attempts")
			.tag("route", this.route)
			.counters()) {
			if (counter.count() > 0) {
				counts.put(counter.getId().getTag("result"), (int) counter.count());
			}
		}
		return counts;
	}

	/** A counter of the route with this result. */
	double count(String meter, String result) {
		Counter counter = this.gateway.bean(MeterRegistry.class)
			.find(meter)
			.tag("route", this.route)
			.tag("result", result)
			.counter();
		return (counter != null) ? counter.count() : 0;
	}

	/** A counter of the route without results. */
	double count(String meter) {
		return this.gateway.bean(MeterRegistry.class).get(meter).tag("route", this.route).counter().count();
	}

	/** Waits until every permit and every byte has been given back. */
	void awaitRest() {
		UpstreamRoute upstream = upstream();
		BodyBudget budget = this.gateway.bean(BodyBudget.class);
		await().pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(5))
			.alias("permits of " + this.route + " and bytes are given back")
			.until(() -> upstream.inFlight() == 0 && upstream.lateAttempts() == 0 && budget.held() == 0);
	}

}
