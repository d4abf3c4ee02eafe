/**
 * What a gateway under load needs around it: a backend, its stores, and its processes.
 */
@NullMarked
package dev.idempotency.load.rig;

import org.jspecify.annotations.NullMarked;
