package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.awaitility.Awaitility;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/** Stores on servers of this machine. */
public final class RedisConnectionSamples {

	private RedisConnectionSamples() {
	}

	public static DataRedisConnectionDetails standalone(int port) {
		return new DataRedisConnectionDetails() {
			@Override
			public Standalone getStandalone() {
				return Standalone.of("127.0.0.1", port);
			}
		};
	}

	static DataRedisConnectionDetails standalone(int port, String username, String password) {
		return new DataRedisConnectionDetails() {
			@Override
			public Standalone getStandalone() {
				return Standalone.of("127.0.0.1", port);
			}

			@Override
			public String getUsername() {
				return username;
			}

			@Override
			public String getPassword() {
				return password;
			}
		};
	}

	static DataRedisConnectionDetails secured(int port, SslBundle bundle) {
		return new DataRedisConnectionDetails() {
			@Override
			public Standalone getStandalone() {
				return Standalone.of("127.0.0.1", port);
			}

			@Override
			public SslBundle getSslBundle() {
				return bundle;
			}
		};
	}

	static DataRedisConnectionDetails cluster(int... ports) {
		return new DataRedisConnectionDetails() {
			@Override
			public Cluster getCluster() {
				return () -> nodes(ports);
			}
		};
	}

	static DataRedisConnectionDetails masterReplica(int... ports) {
		return new DataRedisConnectionDetails() {
			@Override
			public MasterReplica getMasterReplica() {
				return () -> nodes(ports);
			}
		};
	}

	static DataRedisConnectionDetails sentinel(String master, int... ports) {
		return new DataRedisConnectionDetails() {
			@Override
			public Sentinel getSentinel() {
				return new SentinelSample(master, nodes(ports));
			}
		};
	}

	static RedisIdempotencyStore connected(int port) {
		return connected(standalone(port), RedisStoreSettings.defaults());
	}

	static RedisIdempotencyStore connected(DataRedisConnectionDetails details, RedisStoreSettings settings) {
		RedisIdempotencyStore store = RedisIdempotencyStore.create(details, "tests", settings);
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(store::isServing);
		return store;
	}

	private static List<DataRedisConnectionDetails.Node> nodes(int... ports) {
		return Arrays.stream(ports).mapToObj((port) -> new DataRedisConnectionDetails.Node("127.0.0.1", port)).toList();
	}

	private record SentinelSample(String master,
			List<DataRedisConnectionDetails.Node> nodes) implements DataRedisConnectionDetails.Sentinel {

		@Override
		public int getDatabase() {
			return 0;
		}

		@Override
		public String getMaster() {
			return this.master;
		}

		@Override
		public List<DataRedisConnectionDetails.Node> getNodes() {
			return this.nodes;
		}

		@Override
		public String getUsername() {
			return null;
		}

		@Override
		public String getPassword() {
			return null;
		}

	}

}
