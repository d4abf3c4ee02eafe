package dev.idempotency.observability;

import java.util.List;
import java.util.Locale;

import dev.idempotency.core.Outcome;

/** How outcomes are called in tags, logs and spans. */
final class Words {

	/** All that an attempt may come to. What is held back before a send is none. */
	static final List<String> OF_ATTEMPTS = List.of("done", "streaming", "not_applied_status",
			"not_applied_unreachable", "not_applied_answered_locally", "unknown_status", "unknown_timeout",
			"unknown_broken", "unknown_answered_locally");

	private Words() {
	}

	static String of(Outcome outcome) {
		if (outcome instanceof Outcome.NotApplied not) {
			return "not_applied_" + of(not.reason());
		}
		if (outcome instanceof Outcome.Unknown unknown) {
			return "unknown_" + of(unknown.reason());
		}
		return (outcome instanceof Outcome.Streaming) ? "streaming" : "done";
	}

	static String of(Outcome.Reason reason) {
		return reason.name().toLowerCase(Locale.ROOT);
	}

}
