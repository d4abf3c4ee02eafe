package dev.idempotency.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * What goes back to the client.
 *
 * @since 0.1.0
 */
public sealed interface Answer {

	/**
	 * An answer of the backend, now.
	 *
	 * @param response as the backend gave it
	 */
	record Fresh(StoredResponse response) implements Answer {
	}

	/**
	 * The answer of a job that ended while its client waited for it.
	 *
	 * @param response as it is on record
	 */
	record InTime(StoredResponse response) implements Answer {
	}

	/**
	 * An answer of the backend that is passed on while it comes.
	 *
	 * @param head status and headers
	 * @param body the content; it ends only after the outcome is in the store
	 */
	record Stream(StoredResponse head, Flux<byte[]> body) implements Answer {
	}

	/**
	 * The answer on record.
	 *
	 * @param response what was kept
	 * @param unknown whether the outcome behind it is unknown
	 */
	record Replay(StoredResponse response, boolean unknown) implements Answer {
	}

	/**
	 * The gateway's own answer.
	 *
	 * @param problem what is wrong
	 * @param effect what is known of the operation under this key
	 * @param retryable whether sending the very same request again can help
	 * @param retryAfter when to do so, {@code null} if there is no good time
	 */
	record Refused(Problem problem, Effect effect, boolean retryable, @Nullable Duration retryAfter) implements Answer {
	}

	/**
	 * The request is a job, new or known.
	 *
	 * @param record the job's record
	 * @param replayed whether it was known already
	 */
	record Accepted(IdempotencyRecord record, boolean replayed) implements Answer {

		public Accepted {
			if (record.job() == null) {
				throw new IllegalArgumentException("only a job is accepted");
			}
		}

		/** The job. */
		public Job job() {
			Job job = this.record.job();
			if (job == null) {
				throw new IllegalStateException("only a job is accepted");
			}
			return job;
		}

		/** How far it is. */
		public JobStatus status() {
			return JobStatus.of(this.record);
		}
	}

	/** The store cannot be reached and the policy forwards such requests unprotected. */
	record Unprotected() implements Answer {
	}

	/** What is known of the operation under a key. */
	enum Effect {

		NOT_APPLIED, APPLIED, UNKNOWN

	}

}
