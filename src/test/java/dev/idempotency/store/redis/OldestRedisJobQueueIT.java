package dev.idempotency.store.redis;

import dev.idempotency.testing.RedisSource;

/** The same on the oldest Redis the store is for. */
class OldestRedisJobQueueIT extends RedisJobQueueIT {

	@Override
	RedisSource source() {
		return RedisSource.JAR;
	}

}
