package dev.idempotency.core;

/**
 * What an engine tells of its work, for meters and logs. Implementations must not block
 * and must not throw.
 *
 * @since 0.1.0
 */
public interface EngineEvents {

	/** Listens to nothing. */
	EngineEvents NONE = new EngineEvents() {
	};

	/** A request was answered. */
	default void counted(RequestResult result) {
	}

	/** An operation ended, or the client was answered before it did. */
	default void ended(RecordId id, Outcome outcome) {
	}

	/** A request was accepted as a job. */
	default void accepted() {
	}

	/** A claim was met whose owner had fallen silent. */
	default void leaseLapsed(RecordId id) {
	}

	/** An outcome could not be written at once and is tried again in the background. */
	default void settleFailed(RecordId id) {
	}

	/** An outcome found that its claim belongs to somebody else by now. */
	default void fenced(RecordId id) {
	}

	/** A record was met that cannot be understood. */
	default void unreadable(RecordId id, String reason) {
	}

	/** A defect of the gateway's own: in a step of the store, or after a claim. */
	default void defect(RecordId id, Throwable defect) {
	}

	/** An attempt answered after its client had been told of a timeout. */
	default void lateAnswer(RecordId id, Outcome outcome) {
	}

}
