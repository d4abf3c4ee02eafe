package dev.idempotency.observability;

import java.util.Locale;

import dev.idempotency.core.Outcome;

/** How outcomes are called in tags, logs and spans. */
final class Words {

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
