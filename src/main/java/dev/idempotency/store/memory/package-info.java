/**
 * Records in the memory of one process: bounded by bytes, forgotten at a restart.
 */
@NullMarked
package dev.idempotency.store.memory;

import org.jspecify.annotations.NullMarked;
