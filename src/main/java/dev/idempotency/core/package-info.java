/**
 * The domain: what identifies a request, how a claim is won, what an outcome means. No
 * HTTP framework, no Spring, no store.
 */
@NullMarked
package dev.idempotency.core;

import org.jspecify.annotations.NullMarked;
