package dev.idempotency.observability;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

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

	/** Their answers are counted by themselves. */
	private static final Set<Outcome.Reason> COUNTED_AS_ANSWERS = EnumSet.of(Outcome.Reason.TOO_BUSY,
			Outcome.Reason.SHUTTING_DOWN, Outcome.Reason.LEASE_UNCERTAIN);

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
			this.requests.put(result, counter(IdempotencyMeter.REQUESTS, result.tag()));
		}
		this.lapsed = counter(IdempotencyMeter.LEASES_LAPSED);
		this.late = counter(IdempotencyMeter.LATE_ANSWERS);
		this.settleFailures = counter(IdempotencyMeter.SETTLE_FAILURES);
		this.degraded = counter(IdempotencyMeter.DEGRADED);
	}

	private Counter counter(IdempotencyMeter meter) {
		return this.registry.counter(meter.meterName(), IdempotencyMeter.ROUTE, this.route);
	}

	private Counter counter(IdempotencyMeter meter, String result) {
		return this.registry.counter(meter.meterName(), IdempotencyMeter.ROUTE, this.route, IdempotencyMeter.RESULT,
				result);
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
	public void accepted() {
		this.registry
			.counter(IdempotencyMeter.JOBS.meterName(), IdempotencyMeter.ROUTE, this.route, IdempotencyMeter.STATUS,
					"queued")
			.increment();
	}

	@Override
	public void ended(RecordId id, Outcome outcome) {
		if (outcome instanceof Outcome.NotApplied not) {
			countUnlessAnswerIs(not.reason(), RequestResult.RELEASED);
			return;
		}
		if (outcome instanceof Outcome.Unknown unknown) {
			inDoubt(id, unknown);
			return;
		}
		counted(RequestResult.EXECUTED);
	}

	/** Where nothing was sent this time, the doubt is an earlier one. */
	private void inDoubt(RecordId id, Outcome.Unknown unknown) {
		if (unknown.attempts() == 0) {
			countUnlessAnswerIs(unknown.reason(), RequestResult.UNKNOWN_HELD);
		}
		else {
			counted(RequestResult.EXECUTED);
			log.warn("Route {}: the outcome of {} is unknown ({}) after {} attempt(s)", this.route, id,
					word(unknown.reason()), unknown.attempts());
		}
	}

	private void countUnlessAnswerIs(Outcome.Reason reason, RequestResult result) {
		if (!COUNTED_AS_ANSWERS.contains(reason)) {
			counted(result);
		}
	}

	@Override
	public void attempted(Outcome outcome) {
		counter(IdempotencyMeter.ATTEMPTS, resultOf(outcome)).increment();
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
	public void unreadable(RecordId id, String reason) {
		log.error("Route {}: the record {} cannot be read: {}", this.route, id, reason);
	}

	@Override
	public void lateAnswerDropped(Outcome outcome) {
		this.late.increment();
	}

	@Override
	public void defect(RecordId id, Throwable defect) {
		log.error("Route {}: a defect of the gateway met {}", this.route, id, defect);
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
