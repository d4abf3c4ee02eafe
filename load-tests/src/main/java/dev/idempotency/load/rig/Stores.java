package dev.idempotency.load.rig;

import org.jspecify.annotations.Nullable;

/** The servers behind a gateway's store, and how the gateway finds them. */
public final class Stores implements AutoCloseable {

	private final Store store;

	private final @Nullable RedisProcess redis;

	private final @Nullable PostgresProcess postgres;

	private Stores(Store store, @Nullable RedisProcess redis, @Nullable PostgresProcess postgres) {
		this.store = store;
		this.redis = redis;
		this.postgres = postgres;
	}

	/** Those that a store needs. */
	public static Stores of(Store store) {
		return new Stores(store, store.needsRedis() ? RedisProcess.start() : null,
				store.needsPostgres() ? PostgresProcess.start() : null);
	}

	/** The same, and a Redis in any case, since a rate limiter needs one. */
	public static Stores withRedis(Store store) {
		return new Stores(store, RedisProcess.start(), store.needsPostgres() ? PostgresProcess.start() : null);
	}

	/** The Redis. */
	public RedisProcess redis() {
		if (this.redis == null) {
			throw new IllegalStateException("the store " + this.store.configured() + " has no Redis");
		}
		return this.redis;
	}

	/** The part of a gateway's configuration that is about them. */
	public String configuration() {
		StringBuilder yaml = new StringBuilder("idempotency.store: " + this.store.configured() + "\n");
		if (this.redis != null) {
			yaml.append("spring.data.redis.port: ").append(this.redis.port()).append('\n');
		}
		if (this.postgres != null) {
			yaml.append("spring.r2dbc.url: r2dbc:postgresql://127.0.0.1:")
				.append(this.postgres.port())
				.append("/postgres\nspring.r2dbc.username: postgres\n");
		}
		return yaml.toString();
	}

	@Override
	public void close() {
		if (this.redis != null) {
			this.redis.close();
		}
		if (this.postgres != null) {
			this.postgres.close();
		}
	}

}
