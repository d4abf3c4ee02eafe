package dev.idempotency.gateway;

import dev.idempotency.core.IdempotencyPolicy;

/**
 * A route as it is shown to clients.
 *
 * @param id the route's id
 * @param policy its effective rules
 */
record DocumentedRoute(String id, IdempotencyPolicy policy) {
}
