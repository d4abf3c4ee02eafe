package dev.idempotency.store.redis;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.protocol.RedisCommand;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Connections to the nodes of a cluster that take writes. */
final class ClusterSession implements RedisSession {

	private final RedisClusterClient client;

	private final List<StatefulRedisClusterConnection<byte[], byte[]>> connections;

	private final RedisServerFacts facts;

	private final AtomicInteger turn = new AtomicInteger();

	ClusterSession(RedisClusterClient client, List<StatefulRedisClusterConnection<byte[], byte[]>> connections,
			RedisServerFacts facts) {
		this.client = client;
		this.connections = connections;
		this.facts = facts;
	}

	static List<RedisClusterNode> upstreams(StatefulRedisClusterConnection<byte[], byte[]> connection) {
		return connection.getPartitions()
			.stream()
			.filter((node) -> node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.hasNoSlots())
			.toList();
	}

	/**
	 * By host and port: that is the very connection commands for its slots go through.
	 */
	static Mono<StatefulConnection<byte[], byte[]>> nodeConnection(
			StatefulRedisClusterConnection<byte[], byte[]> connection, RedisClusterNode node) {
		RedisURI uri = node.getUri();
		return Mono.fromCompletionStage(() -> connection.getConnectionAsync(uri.getHost(), uri.getPort()));
	}

	@Override
	public RedisServerFacts facts() {
		return this.facts;
	}

	@Override
	public StatefulRedisClusterConnection<byte[], byte[]> connection() {
		return this.connections.get(0);
	}

	/** {@code WAIT} has no key and must go where the claim went. */
	@Override
	public Mono<StatefulConnection<byte[], byte[]>> claimConnection(byte[] key) {
		int others = this.connections.size() - 1;
		StatefulRedisClusterConnection<byte[], byte[]> next = this.connections
			.get(1 + Math.floorMod(this.turn.getAndIncrement(), others));
		RedisClusterNode node = next.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
		return (node != null) ? nodeConnection(next, node)
				: Mono.error(new IllegalStateException("no node serves the slot"));
	}

	/** One by one: Lettuce would block on the connection of a node it has not met yet. */
	@Override
	public void dispatch(List<RedisCommand<byte[], byte[], ?>> commands) {
		commands.forEach(connection()::dispatch);
	}

	@Override
	public Mono<Void> ping() {
		return ping(connection());
	}

	@Override
	public Mono<Void> pingClaimConnections() {
		return Flux.fromIterable(this.connections).skip(1).flatMap(ClusterSession::ping).then();
	}

	@Override
	public void movedAway() {
		this.client.refreshPartitionsAsync();
	}

	/**
	 * Single nodes come and go; a cluster that is gone as a whole does not answer pings.
	 */
	@Override
	public void onClosed(Runnable lost) {
		// Nothing to listen to.
	}

	@Override
	public void close() {
		RedisResources.discard(this.client);
	}

	private static Mono<Void> ping(StatefulRedisClusterConnection<byte[], byte[]> connection) {
		return Flux.fromIterable(upstreams(connection))
			.flatMap((node) -> nodeConnection(connection, node))
			.flatMap(RedisWire::ping)
			.then();
	}

}
