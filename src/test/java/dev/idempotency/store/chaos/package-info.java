/**
 * Stores, gateways and clients while everything between them fails at random.
 */
@NullMarked
package dev.idempotency.store.chaos;

import org.jspecify.annotations.NullMarked;
