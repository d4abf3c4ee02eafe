package dev.idempotency.upstream;

import dev.idempotency.core.StoredResponse;

/**
 * What of a backend's answer goes where.
 *
 * @since 0.1.0
 */
public interface AnswerRules {

	/**
	 * As the client gets it.
	 * @param answer the backend's answer
	 * @return the answer without what belongs to one connection only
	 */
	StoredResponse forClient(StoredResponse answer);

	/**
	 * As it is kept for replays.
	 * @param answer the backend's answer
	 * @return the answer without what belongs to one exchange only, or its tombstone
	 */
	StoredResponse forRecord(StoredResponse answer);

}
