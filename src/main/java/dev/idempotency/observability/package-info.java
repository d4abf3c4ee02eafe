/**
 * What an operator sees: meters, observations, health and the actuator endpoints.
 */
@NullMarked
package dev.idempotency.observability;

import org.jspecify.annotations.NullMarked;
