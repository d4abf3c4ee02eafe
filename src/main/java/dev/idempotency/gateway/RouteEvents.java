package dev.idempotency.gateway;

import dev.idempotency.core.EngineEvents;
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

}
