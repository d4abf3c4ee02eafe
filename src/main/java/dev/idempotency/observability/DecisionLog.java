package dev.idempotency.observability;

import dev.idempotency.core.Answer;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Problem;
import dev.idempotency.core.RecordId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One line for each thing that is not as it should be, with the route, the digest and
 * what came of it, as text and as fields of a structured log.
 */
final class DecisionLog {

	private static final Logger log = LoggerFactory.getLogger("dev.idempotency.operations");

	private final String route;

	DecisionLog(String route) {
		this.route = route;
	}

	void outcomeUnknown(RecordId id, Outcome.Unknown unknown) {
		line(Level.WARN, id, "unknown").log("Route {}: the outcome of {} is unknown ({}) after {} attempt(s)",
				this.route, id, Words.of(unknown.reason()), unknown.attempts());
	}

	void leaseLapsed(RecordId id) {
		line(Level.WARN, id, "lapsed").log("Route {}: the owner of {} has fallen silent; its outcome is unknown",
				this.route, id);
	}

	void settleFailed(RecordId id) {
		line(Level.WARN, id, "unsettled").log(
				"Route {}: the outcome of {} could not be written and is tried again in the background", this.route,
				id);
	}

	void fenced(RecordId id) {
		line(Level.WARN, id, "fenced").log("Route {}: {} has another owner by now; this outcome was not written",
				this.route, id);
	}

	void lateAnswer(RecordId id, Outcome outcome) {
		line(Level.INFO, id, "late_answer").log("Route {}: a late answer to {} was recorded ({})", this.route, id,
				Words.of(outcome));
	}

	void unreadable(RecordId id, String reason) {
		line(Level.ERROR, id, "record_unreadable").log("Route {}: the record {} cannot be read: {}", this.route, id,
				reason);
	}

	void defect(RecordId id, Throwable defect) {
		line(Level.ERROR, id, "defect").setCause(defect)
			.log("Route {}: a defect of the gateway met {}", this.route, id);
	}

	/** What the client of a request is told that is neither executed nor replayed. */
	void decided(RecordId id, Answer answer) {
		if (answer instanceof Answer.Replay replay && replay.unknown()) {
			line(Level.INFO, id, "unknown_held").log("Route {}: {} was answered from an unknown outcome", this.route,
					id);
		}
		else if (answer instanceof Answer.Unprotected) {
			line(Level.WARN, id, "unprotected")
				.log("Route {}: {} was forwarded unprotected, the store cannot be reached", this.route, id);
		}
		else if (answer instanceof Answer.Refused refused) {
			line(level(refused.problem()), id, refused.problem().code().replace('-', '_'))
				.log("Route {}: {} was refused with {}", this.route, id, refused.problem().code());
		}
	}

	/**
	 * What clients do every day is for whoever looks for it; an operator reads what
	 * concerns the gateway, and what was logged when it came about.
	 */
	private static Level level(Problem problem) {
		return switch (problem) {
			case STORE_UNAVAILABLE, TOO_BUSY, UPSTREAM_UNAVAILABLE -> Level.WARN;
			case KEY_REUSED, OUTCOME_UNKNOWN, REPLAY_UNAVAILABLE, SHUTTING_DOWN -> Level.INFO;
			default -> Level.DEBUG;
		};
	}

	private LoggingEventBuilder line(Level level, RecordId id, String outcome) {
		return log.atLevel(level)
			.addKeyValue("idempotency.route", this.route)
			.addKeyValue("idempotency.digest", id.digest())
			.addKeyValue("idempotency.outcome", outcome);
	}

}
