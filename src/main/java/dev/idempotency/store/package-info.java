/**
 * What a store has to do, and the one binary format in which all of them keep a record.
 */
@NullMarked
package dev.idempotency.store;

import org.jspecify.annotations.NullMarked;
