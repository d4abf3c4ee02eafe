package dev.idempotency.store.redis;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.RedisCommand;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A connection to one server and, if claims wait for replicas, a few more for those. */
final class SingleServerSession implements RedisSession {

	private final RedisClient client;

	private final List<StatefulRedisConnection<byte[], byte[]>> connections;

	private final RedisServerFacts facts;

	private final AtomicInteger turn = new AtomicInteger();

	/**
	 * A session on open connections.
	 * @param client the client they belong to
	 * @param connections the first for everything, the others for claims
	 * @param facts what is known of the server
	 */
	SingleServerSession(RedisClient client, List<StatefulRedisConnection<byte[], byte[]>> connections,
			RedisServerFacts facts) {
		this.client = client;
		this.connections = connections;
		this.facts = facts;
	}

	@Override
	public RedisServerFacts facts() {
		return this.facts;
	}

	@Override
	public StatefulRedisConnection<byte[], byte[]> connection() {
		return this.connections.get(0);
	}

	@Override
	public Mono<StatefulConnection<byte[], byte[]>> claimConnection(byte[] key) {
		int others = this.connections.size() - 1;
		return Mono.just(this.connections.get(1 + Math.floorMod(this.turn.getAndIncrement(), others)));
	}

	@Override
	public void dispatch(List<RedisCommand<byte[], byte[], ?>> commands) {
		connection().dispatch(commands);
	}

	@Override
	public Mono<Void> ping() {
		return RedisWire.ping(connection()).then();
	}

	@Override
	public Mono<Void> pingClaimConnections() {
		return Flux.fromIterable(this.connections).skip(1).flatMap(RedisWire::ping).then();
	}

	@Override
	public void movedAway() {
		// One server has nowhere to move.
	}

	@Override
	public void onClosed(Runnable lost) {
		RedisConnectionStateListener listener = new RedisConnectionStateListener() {
			@Override
			public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
				// They are connected before anybody listens.
			}

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
				lost.run();
			}
		};
		this.connections.forEach((connection) -> connection.addListener(listener));
		if (!this.connections.stream().allMatch(StatefulConnection::isOpen)) {
			lost.run();
		}
	}

	@Override
	public void close() {
		RedisResources.discard(this.client);
	}

}
