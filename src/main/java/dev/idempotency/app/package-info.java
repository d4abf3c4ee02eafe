/**
 * The ready gateway: a main class for those who have no Spring Cloud Gateway of their own
 * yet.
 */
@NullMarked
package dev.idempotency.app;

import org.jspecify.annotations.NullMarked;
