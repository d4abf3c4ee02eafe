package dev.idempotency.gateway;

import dev.idempotency.core.Problem;

/** What a client may conclude from a problem, for people who write clients. */
final class ProblemGuide {

	private ProblemGuide() {
	}

	/**
	 * Which key the next request takes.
	 * @param problem what the client was told
	 * @return one sentence
	 */
	static String nextKey(Problem problem) {
		return switch (problem) {
			case KEY_MISSING -> "Send the request again with a key.";
			case KEY_INVALID, CALLER_UNIDENTIFIED, CALLBACK_REFUSED ->
				"No record was made: correct the request, any key will do.";
			case REQUEST_TOO_LARGE -> "This request made no record; the same request will be refused again.";
			case KEY_REUSED -> "New operation, new key; the old key stays with the original request.";
			case IN_PROGRESS, STORE_UNAVAILABLE, UPSTREAM_TIMEOUT, RECORD_UNREADABLE, SHUTTING_DOWN ->
				"Keep the key: a new one may carry the operation out twice.";
			case TOO_BUSY, UPSTREAM_UNAVAILABLE -> "Keep the key.";
			case OUTCOME_UNKNOWN, UPSTREAM_FAILED -> "Keep the key until you know whether it was carried out.";
			case REPLAY_UNAVAILABLE -> "The key is spent; a new one would carry the operation out again.";
			case JOB_CANCELLED -> "The key is spent; take a new one for a new job.";
			case JOB_UNKNOWN, JOB_NOT_CANCELLABLE, METHOD_NOT_ALLOWED -> "Says nothing about any key.";
		};
	}

	/**
	 * What is known of the operation.
	 * @param problem what the client was told
	 * @return the values of {@code outcome} that come with it
	 */
	static String outcome(Problem problem) {
		return switch (problem) {
			case KEY_MISSING, KEY_INVALID, CALLER_UNIDENTIFIED, CALLBACK_REFUSED, JOB_CANCELLED -> "not-applied";
			case TOO_BUSY, UPSTREAM_UNAVAILABLE -> "not-applied, or unknown for a key that already is";
			case REPLAY_UNAVAILABLE -> "applied, not-applied or unknown";
			default -> "unknown";
		};
	}

	/**
	 * Whether the very same request may succeed later.
	 * @param problem what the client was told
	 * @return {@code yes}, {@code no}, or on what it depends
	 */
	static String retryable(Problem problem) {
		return switch (problem) {
			case IN_PROGRESS, STORE_UNAVAILABLE, UPSTREAM_TIMEOUT, RECORD_UNREADABLE, SHUTTING_DOWN, TOO_BUSY,
					UPSTREAM_UNAVAILABLE ->
				"yes";
			case UPSTREAM_FAILED, OUTCOME_UNKNOWN -> "as the problem's member retryable says";
			default -> "no";
		};
	}

}
