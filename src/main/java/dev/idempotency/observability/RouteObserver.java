package dev.idempotency.observability;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import dev.idempotency.core.Answer;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Problem;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.RequestResult;
import dev.idempotency.gateway.BypassReason;
import dev.idempotency.gateway.RouteEvents;
import dev.idempotency.upstream.AttemptWatch;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Counts what happens on one route, and has what is not as it should be logged. Tags come
 * from the configuration and from enums only, so that no client can make series.
 *
 * @since 0.1.0
 */
public final class RouteObserver implements RouteEvents {

	/** Their answers are counted by themselves. */
	private static final Set<Outcome.Reason> COUNTED_AS_ANSWERS = EnumSet.of(Outcome.Reason.TOO_BUSY,
			Outcome.Reason.SHUTTING_DOWN, Outcome.Reason.LEASE_UNCERTAIN);

	private final String route;

	private final MeterRegistry registry;

	private final Spans spans;

	private final OpenDoubts doubts;

	private final DecisionLog log;

	private final RouteTally tally = new RouteTally();

	private final Map<RequestResult, Counter> requests = new EnumMap<>(RequestResult.class);

	private final Map<BypassReason, Counter> bypassed = new EnumMap<>(BypassReason.class);

	private final Map<String, Counter> attempts = new ConcurrentHashMap<>();

	private final Counter resends;

	private final Counter lapsed;

	private final Counter late;

	private final Counter settleFailures;

	private final Counter degraded;

	/**
	 * For one route. All that may be counted is there from the start: what appears only
	 * with its first event has no increase then, and an alert on it stays silent.
	 * @param route the route's id
	 * @param registry where meters are kept
	 * @param spans accompany attempts
	 * @param doubts where unknown outcomes are noted
	 */
	public RouteObserver(String route, MeterRegistry registry, Spans spans, OpenDoubts doubts) {
		this.route = route;
		this.spans = spans;
		this.registry = registry;
		this.doubts = doubts;
		this.log = new DecisionLog(route);
		for (RequestResult result : RequestResult.values()) {
			this.requests.put(result, counter(IdempotencyMeter.REQUESTS, result.tag()));
		}
		for (BypassReason reason : BypassReason.values()) {
			this.bypassed.put(reason, counter(IdempotencyMeter.BYPASSED, reason.tag()));
		}
		Words.OF_ATTEMPTS.forEach((word) -> this.attempts.put(word, counter(IdempotencyMeter.ATTEMPTS, word)));
		this.resends = counter(IdempotencyMeter.RESENDS);
		this.lapsed = counter(IdempotencyMeter.LEASES_LAPSED);
		this.late = counter(IdempotencyMeter.LATE_ANSWERS);
		this.settleFailures = counter(IdempotencyMeter.SETTLE_FAILURES);
		this.degraded = counter(IdempotencyMeter.DEGRADED);
	}

	private Counter counter(IdempotencyMeter meter) {
		return described(meter).register(this.registry);
	}

	private Counter counter(IdempotencyMeter meter, String result) {
		return described(meter).tag(MeterTag.RESULT.asString(), result).register(this.registry);
	}

	private Counter.Builder described(IdempotencyMeter meter) {
		return Counter.builder(meter.meterName())
			.description(meter.description())
			.tag(MeterTag.ROUTE.asString(), this.route);
	}

	RouteTally tally() {
		return this.tally;
	}

	@Override
	public void counted(RequestResult result) {
		this.tally.add(result);
		increment(this.requests.get(result));
		if (result == RequestResult.UNPROTECTED) {
			this.degraded.increment();
		}
	}

	@Override
	public void bypassed(BypassReason reason) {
		increment(this.bypassed.get(reason));
	}

	@Override
	public void decided(RecordId id, Answer answer) {
		if (isHeld(answer)) {
			this.doubts.add(id, this.route, "held");
		}
		else if (answer instanceof Answer.Replay) {
			this.doubts.remove(id);
		}
		this.log.decided(id, answer);
	}

	/** After a restart, or from another instance, a doubt is first met so. */
	private static boolean isHeld(Answer answer) {
		return (answer instanceof Answer.Replay replay && replay.unknown())
				|| (answer instanceof Answer.Refused refused && refused.problem() == Problem.OUTCOME_UNKNOWN);
	}

	@Override
	public void accepted() {
		this.registry
			.counter(IdempotencyMeter.JOBS.meterName(), MeterTag.ROUTE.asString(), this.route,
					MeterTag.STATUS.asString(), "queued")
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
		this.doubts.remove(id);
		counted(RequestResult.EXECUTED);
	}

	/** Where nothing was sent this time, the doubt is an earlier one. */
	private void inDoubt(RecordId id, Outcome.Unknown unknown) {
		this.doubts.add(id, this.route, Words.of(unknown.reason()));
		if (unknown.attempts() == 0) {
			countUnlessAnswerIs(unknown.reason(), RequestResult.UNKNOWN_HELD);
		}
		else {
			counted(RequestResult.EXECUTED);
			this.log.outcomeUnknown(id, unknown);
		}
	}

	private void countUnlessAnswerIs(Outcome.Reason reason, RequestResult result) {
		if (!COUNTED_AS_ANSWERS.contains(reason)) {
			counted(result);
		}
	}

	@Override
	public AttemptWatch begun(int number, ContextView context) {
		return this.spans.attempt(this.route, number, context);
	}

	@Override
	public void attempted(Outcome outcome) {
		this.attempts.computeIfAbsent(Words.of(outcome), (word) -> counter(IdempotencyMeter.ATTEMPTS, word))
			.increment();
		if (outcome.attempts() > 1) {
			this.resends.increment();
		}
	}

	@Override
	public void leaseLapsed(RecordId id) {
		this.lapsed.increment();
		this.doubts.add(id, this.route, "owner_silent");
		this.log.leaseLapsed(id);
	}

	@Override
	public void settleFailed(RecordId id) {
		this.settleFailures.increment();
		this.log.settleFailed(id);
	}

	@Override
	public void fenced(RecordId id) {
		this.log.fenced(id);
	}

	@Override
	public void lateAnswer(RecordId id, Outcome outcome) {
		this.late.increment();
		this.doubts.remove(id);
		this.log.lateAnswer(id, outcome);
	}

	@Override
	public void unreadable(RecordId id, String reason) {
		this.log.unreadable(id, reason);
	}

	@Override
	public void lateAnswerDropped(Outcome outcome) {
		this.late.increment();
	}

	@Override
	public void defect(RecordId id, Throwable defect) {
		this.log.defect(id, defect);
	}

	private static void increment(@Nullable Counter counter) {
		if (counter != null) {
			counter.increment();
		}
	}

}
