package dev.idempotency.store.redis;

import dev.idempotency.testing.RedisSource;

/** The Redis store keeps the contract on the oldest Redis it is for. */
class OldestRedisContractIT extends RedisContractIT {

	@Override
	RedisSource source() {
		return RedisSource.JAR;
	}

}
