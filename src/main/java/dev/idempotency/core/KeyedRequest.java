package dev.idempotency.core;

import java.time.Duration;

/**
 * A request with a key, as far as the engine has to know it.
 *
 * @param id where its record is found
 * @param fingerprint what it asks for
 * @param patience how long it waits for a first one that still runs; zero to be told at
 * once
 * @since 0.1.0
 */
public record KeyedRequest(RecordId id, Fingerprint fingerprint, Duration patience) {
}
