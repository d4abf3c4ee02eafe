package dev.idempotency.gateway;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.IdempotencyEngine;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.upstream.BodyBudget;
import dev.idempotency.upstream.UpstreamRoute;

/**
 * One route under protection, and what works for it.
 *
 * @param id the route's id
 * @param policy its effective rules
 * @param engine decides
 * @param store where records are kept
 * @param upstream its backend side
 * @param answers writes what the engine decided
 * @param budget bounds the bodies held
 * @param events told of each request
 * @param jobs takes requests on as jobs, {@code null} where the route does not
 */
record ProtectedRoute(String id, IdempotencyPolicy policy, IdempotencyEngine engine, IdempotencyStore store,
		UpstreamRoute upstream, AnswerWriter answers, BodyBudget budget, RouteEvents events, @Nullable RouteJobs jobs) {
}
