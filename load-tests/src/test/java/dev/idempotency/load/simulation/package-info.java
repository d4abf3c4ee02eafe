/** Gatling simulations, one for each kind of load that duplicates requests. */
@NullMarked
package dev.idempotency.load.simulation;

import org.jspecify.annotations.NullMarked;
