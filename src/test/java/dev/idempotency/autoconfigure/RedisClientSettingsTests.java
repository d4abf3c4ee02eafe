package dev.idempotency.autoconfigure;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;

import dev.idempotency.store.redis.RedisClientSettings;

import static org.assertj.core.api.Assertions.assertThat;

class RedisClientSettingsTests {

	private final DataRedisProperties connection = new DataRedisProperties();

	@Test
	void withoutPropertiesTheyAreTheDefaults() {
		assertThat(RedisStoreConfiguration.client(this.connection)).isEqualTo(RedisClientSettings.defaults());
	}

	@Test
	void aRedissAddressAsksForTls() {
		this.connection.setUrl("rediss://cache.example:6380");
		assertThat(RedisStoreConfiguration.client(this.connection).tls()).isTrue();
	}

	@Test
	void aRedisAddressDoesNot() {
		this.connection.setUrl("redis://cache.example:6379");
		assertThat(RedisStoreConfiguration.client(this.connection).tls()).isFalse();
	}

	@Test
	void nameAndTimeToConnectAreBoots() {
		this.connection.setClientName("gateway");
		this.connection.setConnectTimeout(Duration.ofMillis(300));
		assertThat(RedisStoreConfiguration.client(this.connection))
			.isEqualTo(new RedisClientSettings("gateway", false, Duration.ofMillis(300)));
	}

}
