package dev.idempotency.core;

import java.time.Instant;

/**
 * Something that nobody will do by himself any more, kept for an operator.
 *
 * @param kind what it is
 * @param time since when
 * @param record the job's record as it was then, its request included
 * @since 0.1.0
 */
public record DeadLetter(Kind kind, Instant time, IdempotencyRecord record) {

	public DeadLetter {
		if (record.job() == null) {
			throw new IllegalArgumentException("a dead letter is about a job");
		}
	}

	/** The job. */
	public Job job() {
		Job job = this.record.job();
		if (job == null) {
			throw new IllegalStateException("a dead letter is about a job");
		}
		return job;
	}

	/** Under which name it is kept. */
	public String id() {
		return (this.kind == Kind.JOB) ? job().id().toString() : job().id() + ".callback";
	}

	/** What a dead letter may be about. */
	public enum Kind {

		/** A job that was given up. */
		JOB,
		/** The end of a job that could not be posted. */
		CALLBACK

	}

}
