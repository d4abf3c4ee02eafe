package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Connects to a cluster. Within a session Lettuce follows the topology; a session that
 * has lost all nodes it knew is replaced by one that starts from the configured addresses
 * again.
 */
final class ClusterConnector implements RedisConnector {

	private static final Duration REFRESH = Duration.ofSeconds(30);

	private static final Duration ADAPTIVE_REFRESH = Duration.ofSeconds(1);

	private final RedisEndpoint endpoint;

	private final RedisResources resources;

	private final int claimConnections;

	ClusterConnector(RedisEndpoint endpoint, RedisResources resources, int claimConnections) {
		this.endpoint = endpoint;
		this.resources = resources;
		this.claimConnections = claimConnections;
	}

	@Override
	public Mono<RedisSession> connect() {
		return Mono.defer(() -> {
			RedisClusterClient client = newClient(this.resources.get());
			return Mono.fromCompletionStage(client::refreshPartitionsAsync)
				.thenMany(Flux.range(0, 1 + this.claimConnections))
				.concatMap((number) -> Mono.fromCompletionStage(client.connectAsync(ByteArrayCodec.INSTANCE)))
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

	private RedisClusterClient newClient(ClientResources resources) {
		RedisClusterClient client = RedisClusterClient.create(resources, this.endpoint.uris());
		client.setOptions(this.endpoint.configure(ClusterClientOptions.builder())
			.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
				.adaptiveRefreshTriggersTimeout(ADAPTIVE_REFRESH)
				.enablePeriodicRefresh(REFRESH)
				.build())
			.build());
		return client;
	}

	private Mono<RedisSession> session(RedisClusterClient client,
			List<StatefulRedisClusterConnection<byte[], byte[]>> connections) {
		String topology = this.endpoint.topology().toString();
		return Flux.fromIterable(ClusterSession.upstreams(connections.get(0)))
			.flatMap((node) -> ClusterSession.nodeConnection(connections.get(0), node))
			.flatMap((connection) -> RedisResources.facts(connection, topology))
			.collectList()
			.map((nodes) -> new ClusterSession(client, connections, RedisServerFacts.weakest(topology, nodes)));
	}

}
