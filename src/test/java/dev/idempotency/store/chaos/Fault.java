package dev.idempotency.store.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.idempotency.testing.FaultProxy;
import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.RedisServer;

/**
 * Something that happens to a store, and its end.
 *
 * @param name what it is called when it is counted
 * @param begin makes it happen
 * @param end makes it good again
 */
record Fault(String name, Runnable begin, Runnable end) {

	private static final Duration SLOW = Duration.ofMillis(120);

	private static final Runnable NOTHING = () -> {
	};

	/** What a network does to a gateway. */
	static List<Fault> of(String server, FaultProxy path) {
		return List.of(new Fault(server + " cut off", path::cut, path::heal),
				new Fault(server + " swallowed", path::blackhole, path::heal),
				new Fault(server + " replies lost", path::loseReplies, path::heal),
				new Fault(server + " slow", () -> path.delay(SLOW), path::heal),
				new Fault(server + " reset", path::reset, NOTHING));
	}

	/** What Redis survives without forgetting. */
	static Fault freeze(RedisServer redis) {
		return new Fault("redis frozen", redis::pause, redis::resume);
	}

	/** What Redis has forgotten afterwards. */
	static List<Fault> loss(RedisServer redis) {
		return List.of(new Fault("redis killed", redis::kill, redis::restart),
				new Fault("redis flushed", () -> redis.command("FLUSHALL"), NOTHING),
				new Fault("redis lost keys", () -> loseKeys(redis), NOTHING));
	}

	/** What PostgreSQL survives without forgetting. */
	static List<Fault> of(PostgresServer postgres) {
		return List.of(new Fault("postgres killed", postgres::kill, postgres::restart),
				new Fault("postgres frozen", postgres::pause, postgres::resume),
				new Fault("postgres connections ended",
						() -> postgres.query("select count(pg_terminate_backend(pid)) from pg_stat_activity "
								+ "where application_name = 'idempotency-gateway'"),
						NOTHING));
	}

	/** Several of the same weight as one. */
	@SafeVarargs
	static List<Fault> all(List<Fault>... some) {
		List<Fault> all = new ArrayList<>();
		for (List<Fault> few : some) {
			all.addAll(few);
		}
		return all;
	}

	private static void loseKeys(RedisServer redis) {
		for (int i = 0; i < 50; i++) {
			String key = redis.command("RANDOMKEY");
			if (key != null && key.startsWith("idempotency:")) {
				redis.command("DEL", key);
			}
		}
	}

}
