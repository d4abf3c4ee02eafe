package dev.idempotency.core;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * The fencing token of one claim. Whoever changes a record shows the token he believes in
 * it; a different one in the store means that the claim has another owner by now.
 *
 * @param high first eight octets
 * @param low last eight octets
 * @since 0.1.0
 */
public record OwnerToken(long high, long low) {

	/** Octets of a token. */
	public static final int LENGTH = 16;

	private static final SecureRandom RANDOM = new SecureRandom();

	private static final ThreadLocal<ByteBuffer> POOL = ThreadLocal
		.withInitial(() -> ByteBuffer.allocate(64 * LENGTH).limit(0));

	/** A token nobody else has: 128 random bits, drawn in batches to spare the lock. */
	public static OwnerToken random() {
		ByteBuffer pool = POOL.get();
		if (!pool.hasRemaining()) {
			RANDOM.nextBytes(pool.array());
			pool.clear();
		}
		return new OwnerToken(pool.getLong(), pool.getLong());
	}

	/** The octets as they stand in a record. */
	public byte[] bytes() {
		return ByteBuffer.allocate(LENGTH).putLong(this.high).putLong(this.low).array();
	}

}
