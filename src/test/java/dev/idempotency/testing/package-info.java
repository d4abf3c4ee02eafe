/**
 * Servers and clients for tests that say exactly which bytes travel, and remember which
 * did.
 */
@NullMarked
package dev.idempotency.testing;

import org.jspecify.annotations.NullMarked;
