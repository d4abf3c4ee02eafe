/**
 * One attempt at the backend and what became of it: classification, resends, circuit
 * breaker, late answers, reconciliation.
 */
@NullMarked
package dev.idempotency.upstream;

import org.jspecify.annotations.NullMarked;
