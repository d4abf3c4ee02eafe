package dev.idempotency.store.redis;

import java.util.List;
import java.util.concurrent.Executor;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import io.lettuce.core.resource.ClientResources;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Connects to the one server that takes writes, found by its address, by Sentinel or
 * among a fixed set. Lettuce's own reconnecting is off: a new session asks Sentinel and
 * DNS again, and nothing of the old one can reach it.
 */
final class SingleServerConnector implements RedisConnector {

	private final RedisEndpoint endpoint;

	private final RedisResources resources;

	private final int claimConnections;

	SingleServerConnector(RedisEndpoint endpoint, RedisResources resources, int claimConnections) {
		this.endpoint = endpoint;
		this.resources = resources;
		this.claimConnections = claimConnections;
	}

	@Override
	public Mono<RedisSession> connect() {
		return Mono.defer(() -> {
			RedisClient client = newClient(this.resources.get());
			return Flux.range(0, 1 + this.claimConnections)
				.concatMap((number) -> open(client))
				.collectList()
				.flatMap((connections) -> session(client, connections))
				.doOnError((failure) -> RedisResources.discard(client))
				.doOnCancel(() -> RedisResources.discard(client));
		});
	}

	@Override
	public Scheduler timers() {
		return this.resources.timers();
	}

	@Override
	public Executor callersThread() {
		return this.resources.callersThread();
	}

	@Override
	public void close() {
		this.resources.close();
	}

	private RedisClient newClient(ClientResources resources) {
		RedisClient client = RedisClient.create(resources);
		client.setOptions(this.endpoint.configure(ClientOptions.builder()).autoReconnect(false).build());
		return client;
	}

	private Mono<StatefulRedisConnection<byte[], byte[]>> open(RedisClient client) {
		if (this.endpoint.topology() == RedisEndpoint.Topology.MASTER_REPLICA) {
			return Mono
				.fromCompletionStage(MasterReplica.connectAsync(client, ByteArrayCodec.INSTANCE, this.endpoint.uris()))
				.map(SingleServerConnector::masterOnly);
		}
		return Mono.fromCompletionStage(client.connectAsync(ByteArrayCodec.INSTANCE, this.endpoint.uris().get(0)));
	}

	private static StatefulRedisConnection<byte[], byte[]> masterOnly(
			StatefulRedisMasterReplicaConnection<byte[], byte[]> connection) {
		connection.setReadFrom(ReadFrom.UPSTREAM);
		return connection;
	}

	private Mono<RedisSession> session(RedisClient client, List<StatefulRedisConnection<byte[], byte[]>> connections) {
		String topology = this.endpoint.topology().toString();
		return RedisResources.facts(connections.get(0), topology)
			.map((facts) -> new SingleServerSession(client, connections, facts));
	}

}
