package dev.idempotency.store.redis;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What Boot's connection details do not say about a connection.
 *
 * @param clientName name of the connections as Redis lists them; {@code null} for none
 * @param tls whether to use TLS with the trust of the Java runtime even where the details
 * have no SSL bundle, as a {@code rediss:} address asks for
 * @param connectTimeout longest time to open a socket
 * @since 0.1.0
 */
public record RedisClientSettings(@Nullable String clientName, boolean tls, Duration connectTimeout) {

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

	/** No name, TLS only by an SSL bundle, 2 s. */
	public static RedisClientSettings defaults() {
		return named(null);
	}

	/**
	 * The same with a name.
	 * @param clientName name of the connections
	 */
	public static RedisClientSettings named(@Nullable String clientName) {
		return new RedisClientSettings(clientName, false, CONNECT_TIMEOUT);
	}

}
