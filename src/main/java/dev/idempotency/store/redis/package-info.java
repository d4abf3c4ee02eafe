/**
 * Records in Redis: one key per record, compared and set by scripts.
 */
@NullMarked
package dev.idempotency.store.redis;

import org.jspecify.annotations.NullMarked;
