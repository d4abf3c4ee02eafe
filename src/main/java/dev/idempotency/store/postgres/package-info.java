/**
 * Records in PostgreSQL: one row per record in one table, spoken to by R2DBC.
 */
@NullMarked
package dev.idempotency.store.postgres;

import org.jspecify.annotations.NullMarked;
