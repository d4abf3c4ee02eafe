package dev.idempotency.gateway;

import dev.idempotency.core.Caller;

/** Whether a request says reliably who sent it. */
sealed interface CallerResolution {

	/**
	 * It does.
	 *
	 * @param caller who
	 */
	record Identified(Caller caller) implements CallerResolution {
	}

	/**
	 * It does not, and the policy refuses such requests.
	 *
	 * @param detail for the client: what is missing or contradictory, without any value
	 */
	record Unidentified(String detail) implements CallerResolution {
	}

}
