/** Records in Redis: one string a record, changed only by scripts that compare its owner. */
@NullMarked
package dev.idempotency.store.redis;

import org.jspecify.annotations.NullMarked;
