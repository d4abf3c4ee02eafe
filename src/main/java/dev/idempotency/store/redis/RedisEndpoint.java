package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

/**
 * Where Redis is, translated from what Boot knows about it.
 *
 * @param topology how it is set up
 * @param uris one address, or the nodes to ask first
 * @param ssl how connections are secured; {@code null} for the ways of the Java runtime
 * @param connectTimeout longest time to open a socket
 */
record RedisEndpoint(Topology topology, List<RedisURI> uris, @Nullable SslBundle ssl, Duration connectTimeout) {

	/**
	 * Handshake and topology questions of one attempt to connect; the next one follows
	 * soon.
	 */
	static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);

	/** Bounds what piles up behind a server that has stopped reading. */
	private static final int QUEUE_SIZE = 20_000;

	enum Topology {

		STANDALONE, SENTINEL, CLUSTER, MASTER_REPLICA;

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

	static RedisEndpoint of(DataRedisConnectionDetails details, RedisClientSettings client) {
		return new Translation(details, client).endpoint();
	}

	/**
	 * Commands are rejected while disconnected and never sent again after a reconnect: a
	 * claim that is carried out a minute late would belong to nobody.
	 */
	<B extends ClientOptions.Builder> B configure(B builder) {
		builder.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.replayFilter((command) -> true)
			.requestQueueSize(QUEUE_SIZE)
			.protocolVersion(ProtocolVersion.RESP2)
			.maintNotificationsConfig(MaintNotificationsConfig.disabled())
			.socketOptions(SocketOptions.builder().connectTimeout(this.connectTimeout).build())
			// The store has one limit for the whole of a call, not one for each command.
			.timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build());
		if (this.ssl != null) {
			builder.sslOptions(sslOptions(this.ssl));
		}
		return builder;
	}

	private static io.lettuce.core.SslOptions sslOptions(SslBundle bundle) {
		io.lettuce.core.SslOptions.Builder builder = io.lettuce.core.SslOptions.builder()
			.keyManager(bundle.getManagers().getKeyManagerFactory())
			.trustManager(bundle.getManagers().getTrustManagerFactory());
		SslOptions options = bundle.getOptions();
		if (options.getCiphers() != null) {
			builder.cipherSuites(options.getCiphers());
		}
		if (options.getEnabledProtocols() != null) {
			builder.protocols(options.getEnabledProtocols());
		}
		return builder.build();
	}

	/** From Boot's connection details to Lettuce's addresses. */
	private record Translation(DataRedisConnectionDetails details, RedisClientSettings client) {

		RedisEndpoint endpoint() {
			DataRedisConnectionDetails.Cluster cluster = this.details.getCluster();
			if (cluster != null) {
				return endpoint(Topology.CLUSTER, nodes(cluster.getNodes()));
			}
			DataRedisConnectionDetails.Sentinel sentinel = this.details.getSentinel();
			if (sentinel != null) {
				return endpoint(Topology.SENTINEL, List.of(uri(sentinel)));
			}
			DataRedisConnectionDetails.MasterReplica masterReplica = this.details.getMasterReplica();
			if (masterReplica != null) {
				return endpoint(Topology.MASTER_REPLICA, nodes(masterReplica.getNodes()));
			}
			DataRedisConnectionDetails.Standalone standalone = this.details.getStandalone();
			if (standalone == null) {
				throw new IllegalStateException("the connection details name no Redis server");
			}
			RedisURI uri = uri(new Node(standalone.getHost(), standalone.getPort()));
			uri.setDatabase(standalone.getDatabase());
			return endpoint(Topology.STANDALONE, List.of(uri));
		}

		private RedisEndpoint endpoint(Topology topology, List<RedisURI> uris) {
			return new RedisEndpoint(topology, uris, this.details.getSslBundle(), this.client.connectTimeout());
		}

		private List<RedisURI> nodes(List<Node> nodes) {
			return nodes.stream().map(this::uri).toList();
		}

		private RedisURI uri(Node node) {
			RedisURI.Builder builder = RedisURI.builder().withHost(node.host()).withPort(node.port());
			return completed(builder, this.details.getUsername(), this.details.getPassword()).build();
		}

		private RedisURI uri(DataRedisConnectionDetails.Sentinel sentinel) {
			RedisURI.Builder builder = RedisURI.builder()
				.withSentinelMasterId(sentinel.getMaster())
				.withDatabase(sentinel.getDatabase());
			for (Node node : sentinel.getNodes()) {
				builder.withSentinel(completed(RedisURI.builder().withHost(node.host()).withPort(node.port()),
						sentinel.getUsername(), sentinel.getPassword())
					.build());
			}
			return completed(builder, this.details.getUsername(), this.details.getPassword()).build();
		}

		private RedisURI.Builder completed(RedisURI.Builder builder, @Nullable String username,
				@Nullable String password) {
			builder.withTimeout(CONNECT_LIMIT).withSsl(this.client.tls() || this.details.getSslBundle() != null);
			if (password != null && username != null) {
				builder.withAuthentication(username, password);
			}
			else if (password != null) {
				builder.withPassword(password.toCharArray());
			}
			if (this.client.clientName() != null) {
				builder.withClientName(this.client.clientName());
			}
			return builder;
		}

	}

}
