/**
 * The benchmark: what a keyed request costs, in processor time of the gateway, next to
 * the same request on a bare route.
 */
@NullMarked
package dev.idempotency.load.bench;

import org.jspecify.annotations.NullMarked;
