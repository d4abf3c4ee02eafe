package dev.idempotency.core;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Something that nobody will do by himself any more, kept for an operator.
 *
 * @param kind what it is
 * @param time since when
 * @param record the job's record as it was then, with its request if that may be sent
 * again
 * @param attempts how often it was tried: the job's attempts, or the posts of its end
 * @param lastOutcome how the last attempt, or the last post, ended; {@code null} if that
 * is not known
 * @since 0.1.0
 */
public record DeadLetter(Kind kind, Instant time, IdempotencyRecord record, int attempts,
		@Nullable String lastOutcome) {

	public DeadLetter {
		if (record.job() == null) {
			throw new IllegalArgumentException("a dead letter is about a job");
		}
	}

	/**
	 * A job was given up.
	 * @param time when
	 * @param record its record
	 */
	public static DeadLetter ofJob(Instant time, IdempotencyRecord record) {
		Job job = record.job();
		return new DeadLetter(Kind.JOB, time, record, record.attempts(), (job != null) ? job.lastOutcome() : null);
	}

	/**
	 * The end of a job could not be posted.
	 * @param time since when
	 * @param record the job's record
	 * @param posts how often it was tried
	 * @param lastOutcome what came of the last post
	 */
	public static DeadLetter ofCallback(Instant time, IdempotencyRecord record, int posts, String lastOutcome) {
		return new DeadLetter(Kind.CALLBACK, time, record, posts, lastOutcome);
	}

	/** The same letter with its record in another form. */
	public DeadLetter withRecord(IdempotencyRecord other) {
		return new DeadLetter(this.kind, this.time, other, this.attempts, this.lastOutcome);
	}

	/**
	 * Whether the request, which a redrive would send, is there and can be read.
	 */
	public boolean isReadable() {
		return this.kind == Kind.CALLBACK || job().request() != null;
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
