package dev.idempotency.gateway;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import dev.idempotency.core.CallbackTarget;
import dev.idempotency.core.IdempotencyPolicy.JobRules;

/** Where a client wants the end of its job to be posted. */
sealed interface CallbackHeader {

	String NAME = "Idempotency-Callback";

	/**
	 * It may be posted there, or nowhere.
	 *
	 * @param uri where, {@code null} for nowhere
	 */
	record Accepted(@Nullable String uri) implements CallbackHeader {
	}

	/**
	 * It may not.
	 *
	 * @param detail for the client
	 */
	record Refused(String detail) implements CallbackHeader {
	}

	static CallbackHeader of(HttpHeaders headers, JobRules rules) {
		List<String> lines = headers.getOrEmpty(NAME);
		if (lines.isEmpty()) {
			return new Accepted(null);
		}
		CallbackTarget target = (lines.size() == 1) ? CallbackTarget.parse(lines.get(0).strip()) : null;
		if (target == null) {
			return new Refused(
					"The header " + NAME + " has to be one absolute http or https URI without user and " + "fragment.");
		}
		if (target.isPermitted(rules.callbackHosts())) {
			return new Accepted(target.uri().toString());
		}
		return new Refused(target.isListed(rules.callbackHosts())
				? "This route posts to the host that " + NAME + " names by https only: the URI has to begin with https."
				: "The host that " + NAME + " names is not one to which this route posts.");
	}

}
