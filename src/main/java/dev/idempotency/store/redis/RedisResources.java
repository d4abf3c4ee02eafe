package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Threads that all sessions of a store share. */
final class RedisResources {

	private static final Duration SHUTDOWN = Duration.ofSeconds(1);

	private static final Duration QUIET = Duration.ofMillis(200);

	/** By a rule of the server's, or by a service that does not know the command. */
	private static final Set<String> FORBIDDEN = Set.of("NOPERM", "ERR");

	private final ClientResources resources;

	private final ReadingThread thread = new ReadingThread();

	RedisResources() {
		this.resources = DefaultClientResources.builder()
			.eventLoopGroupProvider(this.thread)
			.reconnectDelay(
					() -> Delay.exponential(Duration.ofMillis(10), RedisLink.LONGEST_DELAY, 2, TimeUnit.MILLISECONDS))
			.build();
	}

	/** Timers of the thread that reads replies. */
	Scheduler timers() {
		return this.thread.timers();
	}

	/** See {@link RedisConnector#callersThread()}. */
	Executor callersThread() {
		return this.thread.callersThread();
	}

	ClientResources get() {
		return this.resources;
	}

	void close() {
		// Long enough for connections that are just being made to notice.
		this.thread.shutdown(QUIET.toMillis(), SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS);
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
