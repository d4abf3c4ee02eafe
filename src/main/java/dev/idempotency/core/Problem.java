package dev.idempotency.core;

import java.util.Locale;

/**
 * Everything that the gateway itself may have to say, each with its status and its code.
 *
 * @since 0.1.0
 */
public enum Problem {

	KEY_MISSING(400, "An Idempotency-Key is required",
			"Send a key of your own choice that is new for each operation and the same for each retry of it."),
	KEY_INVALID(400, "The Idempotency-Key is not valid", "The header that carries the key cannot be understood."),
	CALLER_UNIDENTIFIED(400, "The caller cannot be identified",
			"Keys belong to callers, and this request does not say reliably whose key it is."),
	CALLBACK_REFUSED(400, "The callback is not accepted",
			"The job would have no permitted place to report its end to."),
	REQUEST_TOO_LARGE(413, "The request is too large to be protected", "The body is larger than this route accepts."),
	STORE_UNAVAILABLE(503, "Idempotency records cannot be reached",
			"The request was not forwarded. Send it again with the same key."),
	KEY_REUSED(422, "This Idempotency-Key was used for a different request",
			"Use a new key for a new operation; to retry, send the original request unchanged."),
	IN_PROGRESS(409, "A request with this Idempotency-Key is still being processed",
			"Wait as long as Retry-After says, then send the same request with the same key."),
	OUTCOME_UNKNOWN(409, "The outcome of this operation is not known",
			"It may have been carried out. Find out before you try again with a new key."),
	REPLAY_UNAVAILABLE(409, "The operation has ended, but its answer was not kept",
			"It is not carried out again. Look its result up where it is kept."),
	JOB_CANCELLED(409, "The job under this Idempotency-Key was cancelled",
			"It is not carried out. Use a new key if you want it to be."),
	JOB_UNKNOWN(404, "There is no such job", "It was never there, its time is over, or it is not yours."),
	JOB_NOT_CANCELLABLE(409, "The job cannot be cancelled any more", "It runs, may have run, or is over."),
	METHOD_NOT_ALLOWED(405, "A job does not know this method", "The header Allow says which it knows."),
	RECORD_UNREADABLE(503, "The record of this operation cannot be read",
			"The request was not forwarded. Send it again with the same key later, or ask the operator."),
	TOO_BUSY(503, "Too many operations at once", "Nothing was done. Send the same request with the same key later."),
	SHUTTING_DOWN(503, "This gateway is shutting down",
			"The request was not forwarded. Send it again with the same key."),
	UPSTREAM_UNAVAILABLE(503, "The service cannot be reached",
			"Nothing was done. Send the same request with the same key later."),
	UPSTREAM_FAILED(502, "The service broke off",
			"The operation may have been carried out. Keep the key; do not use a new one before you know."),
	UPSTREAM_TIMEOUT(504, "The service did not answer in time",
			"The operation may still be carried out. Send the same request with the same key to learn its outcome.");

	private final int status;

	private final String title;

	private final String detail;

	Problem(int status, String title, String detail) {
		this.status = status;
		this.title = title;
		this.detail = detail;
	}

	/** The HTTP status code. */
	public int status() {
		return this.status;
	}

	/** One sentence that is the same each time (RFC 9457, section 3.1.3). */
	public String title() {
		return this.title;
	}

	/** What the client should do. */
	public String detail() {
		return this.detail;
	}

	/** The stable code, for instance {@code key-reused}. */
	public String code() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
