package dev.idempotency.store.redis;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;

/** Connection details of servers on this machine. */
final class RedisConnectionSamples {

	private RedisConnectionSamples() {
	}

	static DataRedisConnectionDetails standalone(int port) {
		return new DataRedisConnectionDetails() {
			@Override
			public Standalone getStandalone() {
				return Standalone.of("127.0.0.1", port);
			}
		};
	}

}
