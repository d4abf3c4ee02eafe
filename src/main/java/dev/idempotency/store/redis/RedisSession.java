package dev.idempotency.store.redis;

import java.util.List;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.RedisCommand;
import reactor.core.publisher.Mono;

/**
 * Redis as long as one connection lasts: what was sent on it is never sent again on
 * another.
 */
interface RedisSession {

	/** What was found out when it was opened. */
	RedisServerFacts facts();

	/** Takes commands for any key. */
	StatefulConnection<byte[], byte[]> connection();

	/**
	 * Takes commands for one key that are followed by {@code WAIT}, which stalls what is
	 * behind it.
	 */
	Mono<StatefulConnection<byte[], byte[]>> claimConnection(byte[] key);

	/** Sends commands for one key together, without waiting for replies in between. */
	void dispatch(List<RedisCommand<byte[], byte[], ?>> commands);

	/** Completes when every server has answered. */
	Mono<Void> ping();

	/** The same on the connections for claims, where a {@code WAIT} may hold it up. */
	Mono<Void> pingClaimConnections();

	/** Called by a reply that tells of another topology. */
	void movedAway();

	/** Calls back when the connection is lost. */
	void onClosed(Runnable lost);

	void close();

}
