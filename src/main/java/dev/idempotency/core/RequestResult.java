package dev.idempotency.core;

import java.util.Locale;

/**
 * What became of a request, in the words of the counter {@code idempotency.requests}.
 *
 * @since 0.1.0
 */
public enum RequestResult {

	EXECUTED, REPLAYED, IN_PROGRESS, KEY_REUSED, KEY_MISSING, KEY_INVALID, CALLER_UNIDENTIFIED, REQUEST_TOO_LARGE,
	UNKNOWN_HELD, RELEASED, STORE_UNAVAILABLE, BYPASSED, UNPROTECTED, REPLAY_UNAVAILABLE, RECORD_UNREADABLE, TOO_BUSY,
	SHUTTING_DOWN, ACCEPTED, JOB_CANCELLED, CALLBACK_REFUSED, OBSERVED_NEW, OBSERVED_REPLAY, OBSERVED_IN_PROGRESS,
	OBSERVED_REUSE, OBSERVED_MISSING, OBSERVED_INVALID;

	/** The value of the tag. */
	public String tag() {
		return name().toLowerCase(Locale.ROOT);
	}

}
