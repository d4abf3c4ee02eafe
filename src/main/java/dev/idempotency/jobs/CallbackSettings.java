package dev.idempotency.jobs;

import java.time.Duration;

/**
 * How the ends of jobs are posted.
 *
 * @param timeout for one post, from connect to the answer's head
 * @param maxAttempts how often it is tried
 * @param backoff pause after the first failure; it doubles with each
 * @since 0.1.0
 */
public record CallbackSettings(Duration timeout, int maxAttempts, Duration backoff) {
}
