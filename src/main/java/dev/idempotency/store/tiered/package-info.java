/**
 * Two stores as one: a fast one that may forget in front of one that does not.
 */
@NullMarked
package dev.idempotency.store.tiered;

import org.jspecify.annotations.NullMarked;
