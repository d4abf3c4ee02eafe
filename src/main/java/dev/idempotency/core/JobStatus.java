package dev.idempotency.core;

import org.jspecify.annotations.Nullable;

/**
 * How far a job is, as clients see it.
 *
 * @since 0.1.0
 */
public enum JobStatus {

	/** Accepted, and nobody is at work on it now. */
	QUEUED,
	/** Somebody is at work. */
	RUNNING,
	/** The backend answered 2xx or 3xx. */
	SUCCEEDED,
	/** The backend answered 4xx, and that is final. */
	FAILED,
	/** Given up: it is in the dead letters. */
	DEAD,
	/** Taken back before it began. */
	CANCELLED;

	/**
	 * The status of a job.
	 * @param record its record
	 */
	public static JobStatus of(IdempotencyRecord record) {
		return switch (record.state()) {
			case QUEUED -> QUEUED;
			case RUNNING -> RUNNING;
			case CANCELLED -> CANCELLED;
			case UNKNOWN -> DEAD;
			case FAILED -> (record.job() != null && record.job().dead() != null) ? DEAD : FAILED;
			case DONE -> ofAnswer(record.response());
		};
	}

	/** No status is on record where an operator said that it was carried out. */
	private static JobStatus ofAnswer(@Nullable StoredResponse response) {
		return (response == null || response.status() < 400) ? SUCCEEDED : FAILED;
	}

	/** Whether it changes by itself no more. */
	public boolean isFinal() {
		return this != QUEUED && this != RUNNING;
	}

}
