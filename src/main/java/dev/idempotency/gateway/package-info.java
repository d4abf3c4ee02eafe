/**
 * The gateway's side: who asks for what under which key, and how answers, replays and
 * problems go back to the client.
 */
@NullMarked
package dev.idempotency.gateway;

import org.jspecify.annotations.NullMarked;
