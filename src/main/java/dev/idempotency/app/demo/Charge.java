package dev.idempotency.app.demo;

/**
 * One charge.
 *
 * @param id its identifier, counted from {@code ch_1}
 * @param amount in the smallest unit of the currency
 */
record Charge(String id, long amount) {
}
