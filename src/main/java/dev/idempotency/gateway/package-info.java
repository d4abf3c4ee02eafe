/**
 * Spring Cloud Gateway's side: reads what identifies a request, and writes the one answer
 * the client gets, fresh, replayed or refused.
 */
@NullMarked
package dev.idempotency.gateway;

import org.jspecify.annotations.NullMarked;
