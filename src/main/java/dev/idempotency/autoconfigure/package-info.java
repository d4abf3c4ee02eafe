/**
 * Wires the rooms together from properties, one auto-configuration class per concern.
 */
@NullMarked
package dev.idempotency.autoconfigure;

import org.jspecify.annotations.NullMarked;
