package dev.idempotency.gateway;

import dev.idempotency.core.Answer;
import dev.idempotency.core.EngineEvents;
import dev.idempotency.core.RecordId;
import dev.idempotency.upstream.UpstreamEvents;

/**
 * All that one route tells, for whoever counts and logs it.
 *
 * @since 0.1.0
 */
public interface RouteEvents extends EngineEvents, UpstreamEvents {

	/** Listens to nothing. */
	RouteEvents NONE = new RouteEvents() {
	};

	/** The engine has decided what a keyed request is answered. */
	default void decided(RecordId id, Answer answer) {
	}

	/** A request goes to the backend without protection. */
	default void bypassed(BypassReason reason) {
	}

}
