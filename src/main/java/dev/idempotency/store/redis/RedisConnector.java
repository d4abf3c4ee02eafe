package dev.idempotency.store.redis;

import java.util.concurrent.Executor;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Opens sessions with a Redis in one of its topologies. */
interface RedisConnector {

	/** Claims that wait for replicas stall one another only in so many lanes. */
	int CLAIM_CONNECTIONS = 4;

	static RedisConnector to(RedisEndpoint endpoint, RedisStoreSettings settings) {
		int claimConnections = (settings.replicas() > 0) ? CLAIM_CONNECTIONS : 0;
		RedisResources resources = new RedisResources();
		return (endpoint.topology() == RedisEndpoint.Topology.CLUSTER)
				? new ClusterConnector(endpoint, resources, claimConnections)
				: new SingleServerConnector(endpoint, resources, claimConnections);
	}

	/**
	 * One attempt, anew for each subscriber; looks addresses up afresh.
	 * @return the session, or an error when it did not come about
	 */
	Mono<RedisSession> connect();

	/** Timers of the thread that reads replies, for limits that are to measure Redis. */
	Scheduler timers();

	/** Where whoever asks now goes on after the reply, without keeping that thread. */
	Executor callersThread();

	/** Releases threads and sockets without waiting for it. */
	void close();

}
