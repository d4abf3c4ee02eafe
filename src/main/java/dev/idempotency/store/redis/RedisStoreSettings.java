package dev.idempotency.store.redis;

import java.time.Duration;

/**
 * How the Redis store behaves; where Redis is comes from elsewhere.
 *
 * @param timeout time limit of each call as a whole, all its commands included
 * @param replicas how many replicas have to acknowledge a claim before it counts as won
 * @param keyPrefix what the names of records start with
 * @since 0.1.0
 */
public record RedisStoreSettings(Duration timeout, int replicas, String keyPrefix) {

	private static final Duration TIMEOUT = Duration.ofMillis(250);

	private static final String KEY_PREFIX = "idempotency:";

	public RedisStoreSettings {
		if (timeout.toMillis() < 1) {
			throw new IllegalArgumentException("timeout must be at least 1ms");
		}
		if (replicas < 0) {
			throw new IllegalArgumentException("replicas must not be negative");
		}
		if (keyPrefix.indexOf('{') >= 0) {
			throw new IllegalArgumentException("key-prefix must not contain '{', which would steer the cluster slot");
		}
	}

	/** 250 ms, no replicas, {@code idempotency:}. */
	public static RedisStoreSettings defaults() {
		return new RedisStoreSettings(TIMEOUT, 0, KEY_PREFIX);
	}

}
