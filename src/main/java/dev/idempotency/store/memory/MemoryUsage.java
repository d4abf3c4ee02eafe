package dev.idempotency.store.memory;

/**
 * What the memory store holds.
 *
 * @param records records of every state
 * @param answers of those the ones whose answer can be replayed
 * @param bytes octets occupied, book-keeping included
 * @param maxBytes octets it may occupy
 * @since 0.1.0
 */
public record MemoryUsage(int records, int answers, long bytes, long maxBytes) {
}
