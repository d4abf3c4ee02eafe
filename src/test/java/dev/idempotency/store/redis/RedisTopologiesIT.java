package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.RecordSamples;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.RedisSource;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;

/** Redis in company: Sentinel, Cluster, a fixed set. */
@Slow
class RedisTopologiesIT {

	private static final RedisStoreSettings SETTINGS = new RedisStoreSettings(Duration.ofSeconds(1), 0, "idempotency:");

	private static final Duration FAILOVER = Duration.ofSeconds(40);

	@Test
	void a_master_that_sentinel_moves_is_followed() {
		try (RedisServer primary = RedisServer.start(process());
				RedisServer replica = RedisServer.replicaOf(primary);
				RedisServer sentinel = RedisServer.sentinelOf(primary, "mine");
				RedisIdempotencyStore store = RedisConnectionSamples
					.connected(RedisConnectionSamples.sentinel("mine", sentinel.port()), SETTINGS)) {
			assertThat(store.server().topology()).isEqualTo("sentinel");
			assertWhole(store, "before");
			Awaitility.await()
				.until(() -> sentinel.command("SENTINEL", "replicas", "mine")
					.contains(Integer.toString(replica.port())));
			primary.kill();
			assertServesAgain(store);
			assertThat(replica.command("DBSIZE")).isNotEqualTo("0");
		}
	}

	@Test
	void a_cluster_serves_from_every_node() {
		List<RedisServer> nodes = RedisServer.cluster();
		try (RedisIdempotencyStore store = RedisConnectionSamples
			.connected(RedisConnectionSamples.cluster(nodes.get(0).port()), SETTINGS)) {
			assertThat(store.server().topology()).isEqualTo("cluster");
			for (int key = 0; key < 50; key++) {
				assertWhole(store, "cluster" + key);
			}
			assertThat(nodes).allMatch((node) -> !node.command("DBSIZE").equals("0"));
		}
		finally {
			nodes.forEach(RedisServer::close);
		}
	}

	@Test
	void an_old_cluster_serves_too() {
		List<RedisServer> nodes = RedisServer.cluster(RedisSource.JAR);
		try (RedisIdempotencyStore store = RedisConnectionSamples
			.connected(RedisConnectionSamples.cluster(nodes.get(0).port()), SETTINGS)) {
			for (int key = 0; key < 20; key++) {
				assertWhole(store, "old" + key);
			}
		}
		finally {
			nodes.forEach(RedisServer::close);
		}
	}

	@Test
	void a_cluster_that_was_restarted_as_a_whole_is_found_again() {
		List<RedisServer> nodes = RedisServer.cluster();
		try (RedisIdempotencyStore store = RedisConnectionSamples
			.connected(RedisConnectionSamples.cluster(nodes.get(0).port(), nodes.get(1).port()), SETTINGS)) {
			assertWhole(store, "before");
			nodes.forEach(RedisServer::kill);
			Awaitility.await().atMost(FAILOVER).until(() -> !store.isServing());
			RedisServer.restart(nodes);
			assertServesAgain(store);
		}
		finally {
			nodes.forEach(RedisServer::close);
		}
	}

	@Test
	void slots_that_move_are_followed() {
		List<RedisServer> nodes = RedisServer.cluster();
		try (RedisIdempotencyStore store = RedisConnectionSamples
			.connected(RedisConnectionSamples.cluster(nodes.get(0).port()), SETTINGS)) {
			RecordId id = RecordSamples.id("moving");
			String slot = nodes.get(0).command("CLUSTER", "KEYSLOT", "{" + id.digest() + "}");
			RedisServer target = nodes.get((Integer.parseInt(slot) + 1) % nodes.size());
			String targetNode = target.command("CLUSTER", "MYID");
			nodes.forEach((node) -> node.command("CLUSTER", "SETSLOT", slot, "NODE", targetNode));
			IdempotencyRecord claim = RecordSamples.claim(id);
			assertThat(store.claim(id, claim).block()).isInstanceOf(Claim.Won.class);
			assertThat(store.renew(id, claim).block()).isEqualTo(Ownership.OURS);
			assertThat(target.command("DBSIZE")).isEqualTo("1");
		}
		finally {
			nodes.forEach(RedisServer::close);
		}
	}

	@Test
	void claims_in_a_cluster_can_wait_for_replicas() {
		List<RedisServer> nodes = RedisServer.cluster();
		try (RedisIdempotencyStore store = RedisConnectionSamples.connected(
				RedisConnectionSamples.cluster(nodes.get(0).port()),
				new RedisStoreSettings(Duration.ofSeconds(1), 1, "idempotency:"))) {
			RecordId id = RecordSamples.id("waiting");
			assertThat(store.claim(id, RecordSamples.claim(id))
				.map(Object::toString)
				.onErrorResume((failure) -> Mono.just(failure.getMessage()))
				.block()).isEqualTo("Only 0 of 1 replicas have the claim");
		}
		finally {
			nodes.forEach(RedisServer::close);
		}
	}

	@Test
	void of_a_fixed_set_the_master_is_written_to() {
		try (RedisServer primary = RedisServer.start();
				RedisServer replica = RedisServer.replicaOf(primary);
				RedisIdempotencyStore store = RedisConnectionSamples
					.connected(RedisConnectionSamples.masterReplica(replica.port(), primary.port()), SETTINGS)) {
			assertThat(store.server().topology()).isEqualTo("master-replica");
			assertWhole(store, "fixed");
		}
	}

	private static RedisSource process() {
		return RedisSource.MACHINE.isAvailable() ? RedisSource.MACHINE : RedisSource.JAR;
	}

	private static void assertServesAgain(RedisIdempotencyStore store) {
		RecordId id = RecordSamples.id("after" + System.nanoTime());
		Awaitility.await()
			.atMost(FAILOVER)
			.ignoreExceptionsInstanceOf(StoreUnavailableException.class)
			.until(() -> store.claim(id, RecordSamples.claim(id)).block() instanceof Claim.Won);
	}

	private static void assertWhole(RedisIdempotencyStore store, String name) {
		RecordId id = RecordSamples.id(name);
		IdempotencyRecord claim = RecordSamples.claim(id);
		assertThat(store.claim(id, claim).block()).isInstanceOf(Claim.Won.class);
		assertThat(store.claim(id, RecordSamples.claim(id)).block()).isInstanceOf(Claim.Running.class);
		assertThat(store.renew(id, claim).block()).isEqualTo(Ownership.OURS);
		assertThat(store.settle(id, RecordSamples.done(claim, "made")).block()).isEqualTo(Ownership.OURS);
		assertThat(store.claim(id, RecordSamples.claim(id)).block()).isInstanceOf(Claim.Finished.class);
	}

}
