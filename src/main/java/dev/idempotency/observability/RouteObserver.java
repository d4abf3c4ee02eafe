package dev.idempotency.observability;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.idempotency.core.Outcome;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.RequestResult;
import dev.idempotency.gateway.RouteEvents;

/**
 * Counts what happens on one route, and logs what is not as it should be. Tags come from
 * the configuration and from enums only, so that no client can make series.
 *
 * @since 0.1.0
 */
public final class RouteObserver implements RouteEvents {

	private static final Logger log = LoggerFactory.getLogger("dev.idempotency.operations");

	private static final String RESULT = "result";

	private final String route;

	private final MeterRegistry registry;

	private final Map<RequestResult, Counter> requests = new EnumMap<>(RequestResult.class);

	private final Counter lapsed;

	private final Counter late;

	private final Counter settleFailures;

	private final Counter degraded;

	/**
	 * For one route.
	 * @param route the route's id
	 * @param registry where meters are kept
	 */
	public RouteObserver(String route, MeterRegistry registry) {
		this.route = route;
		this.registry = registry;
		for (RequestResult result : RequestResult.values()) {
			this.requests.put(result, counter("idempotency.requests", result.tag()));
		}
		this.lapsed = registry.counter("idempotency.leases.lapsed", "route", route);
		this.late = registry.counter("idempotency.late_answers", "route", route);
		this.settleFailures = registry.counter("idempotency.settle.failures", "route", route);
		this.degraded = registry.counter("idempotency.degraded", "route", route);
	}

	private Counter counter(String name, String result) {
		return this.registry.counter(name, "route", this.route, RESULT, result);
	}

	@Override
	public void counted(RequestResult result) {
		Counter counter = this.requests.get(result);
		if (counter != null) {
			counter.increment();
		}
		if (result == RequestResult.UNPROTECTED) {
			this.degraded.increment();
		}
	}

	@Override
	public void ended(RecordId id, Outcome outcome) {
		if (outcome instanceof Outcome.NotApplied) {
			counted(RequestResult.RELEASED);
			return;
		}
		counted(RequestResult.EXECUTED);
		if (outcome instanceof Outcome.Unknown unknown) {
			log.warn("Route {}: the outcome of {} is unknown ({}) after {} attempt(s)", this.route, id,
					word(unknown.reason()), unknown.attempts());
		}
	}

	@Override
	public void attempted(Outcome outcome) {
		counter("idempotency.attempts", resultOf(outcome)).increment();
	}

	@Override
	public void leaseLapsed(RecordId id) {
		this.lapsed.increment();
		log.warn("Route {}: the owner of {} has fallen silent; its outcome is unknown", this.route, id);
	}

	@Override
	public void settleFailed(RecordId id) {
		this.settleFailures.increment();
		log.warn("Route {}: the outcome of {} could not be written and is tried again in the background", this.route,
				id);
	}

	@Override
	public void fenced(RecordId id) {
		log.warn("Route {}: {} has another owner by now; this outcome was not written", this.route, id);
	}

	@Override
	public void lateAnswer(RecordId id, Outcome outcome) {
		this.late.increment();
		log.info("Route {}: a late answer to {} was recorded ({})", this.route, id, resultOf(outcome));
	}

	@Override
	public void defect(RecordId id, Throwable defect) {
		log.error("Route {}: a defect of the gateway ended {}; its outcome is unknown", this.route, id, defect);
	}

	private static String resultOf(Outcome outcome) {
		if (outcome instanceof Outcome.NotApplied not) {
			return "not_applied_" + word(not.reason());
		}
		if (outcome instanceof Outcome.Unknown unknown) {
			return "unknown_" + word(unknown.reason());
		}
		return (outcome instanceof Outcome.Streaming) ? "streaming" : "done";
	}

	private static String word(Outcome.Reason reason) {
		return reason.name().toLowerCase(Locale.ROOT);
	}

}
