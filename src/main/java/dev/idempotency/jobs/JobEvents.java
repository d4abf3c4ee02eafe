package dev.idempotency.jobs;

import dev.idempotency.core.JobId;
import dev.idempotency.core.JobStatus;

/**
 * What workers tell, for meters and logs. Implementations must not block and must not
 * throw.
 *
 * @since 0.1.0
 */
public interface JobEvents {

	/** Listens to nothing. */
	JobEvents NONE = new JobEvents() {
	};

	/** Jobs of this route are worked on here from now on. */
	default void serving(String route) {
	}

	/** A job ended; said again where a worker died right after its end. */
	default void ended(String route, JobId job, JobStatus status) {
	}

	/** The end of a job was posted. */
	default void posted(String route, JobId job) {
	}

	/** The end of a job could not be posted. */
	default void notPosted(String route, JobId job, String why) {
	}

	/** A ticket was met whose job has no record. */
	default void lost(String route, JobId job) {
	}

	/** The number of dead letters may have changed. */
	default void lettersChanged() {
	}

	/** A defect of the gateway's own. */
	default void defect(String route, Throwable defect) {
	}

}
