/** Records in the memory of this process: bounded, and gone at a restart. */
@NullMarked
package dev.idempotency.store.memory;

import org.jspecify.annotations.NullMarked;
