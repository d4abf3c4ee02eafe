/**
 * The backend behind the first {@code curl}: it charges, it knows nothing of idempotency
 * keys, and it fails on request.
 */
@NullMarked
package dev.idempotency.app.demo;

import org.jspecify.annotations.NullMarked;
