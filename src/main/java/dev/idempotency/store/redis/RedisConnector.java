package dev.idempotency.store.redis;

import reactor.core.publisher.Mono;

/** Opens sessions with a Redis in one of its topologies. */
interface RedisConnector extends BoundedCalls.Threads {

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

	/** Releases threads and sockets without waiting for it. */
	void close();

}
