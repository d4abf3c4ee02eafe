/**
 * Records, queues and dead letters of jobs in PostgreSQL: a table each, spoken to by
 * R2DBC.
 */
@NullMarked
package dev.idempotency.store.postgres;

import org.jspecify.annotations.NullMarked;
