package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import reactor.core.publisher.Mono;

/** Threads that all sessions of a store share. */
final class RedisResources {

	private static final Duration SHUTDOWN = Duration.ofSeconds(1);

	private static final Duration QUIET = Duration.ofMillis(200);

	/** By a rule of the server's, or by a service that does not know the command. */
	private static final Set<String> FORBIDDEN = Set.of("NOPERM", "ERR");

	private final ClientResources resources;

	/** Keeps the event loops alive between two sessions. */
	private final RedisClient keeper;

	RedisResources() {
		this.resources = DefaultClientResources.builder()
			.reconnectDelay(
					() -> Delay.exponential(Duration.ofMillis(10), RedisLink.LONGEST_DELAY, 2, TimeUnit.MILLISECONDS))
			.build();
		this.keeper = RedisClient.create(this.resources);
	}

	ClientResources get() {
		return this.resources;
	}

	void close() {
		discard(this.keeper);
		// Long enough for connections that are just being made to notice.
		this.resources.shutdown(QUIET.toMillis(), SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Closes what a client has open, without waiting for it. */
	static void discard(AbstractRedisClient client) {
		client.shutdownAsync(0, SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * What the server says of itself; where it must not be asked the store does without.
	 */
	static Mono<RedisServerFacts> facts(StatefulConnection<byte[], byte[]> connection, String topology) {
		return RedisWire.info(connection)
			.map((info) -> RedisServerFacts.parse(topology, info))
			.onErrorReturn(RedisResources::isForbidden, RedisServerFacts.unknown(topology));
	}

	private static boolean isForbidden(Throwable failure) {
		return failure instanceof RedisCommandExecutionException refusal
				&& FORBIDDEN.contains(RedisFailures.code(refusal));
	}

}
