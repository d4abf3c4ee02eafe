package dev.idempotency.store.postgres;

import java.time.Duration;

import io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;

/**
 * How the store wants its connections, where nobody has said otherwise.
 *
 * @since 0.1.0
 */
public final class PostgresConnections {

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

	private PostgresConnections() {
	}

	/**
	 * Whether connections of these options lead to PostgreSQL.
	 * @param options how to connect
	 */
	public static boolean arePostgres(ConnectionFactoryOptions options) {
		return new PostgresqlConnectionFactoryProvider().supports(options);
	}

	/**
	 * Completes options.
	 * @param options how to connect
	 * @param timeout time limit of one call, beyond which the server shall not work on
	 * either
	 * @return the same, completed
	 */
	public static ConnectionFactoryOptions tuned(ConnectionFactoryOptions options, Duration timeout) {
		ConnectionFactoryOptions.Builder tuned = options.mutate();
		absent(options, tuned, ConnectionFactoryOptions.STATEMENT_TIMEOUT, timeout);
		absent(options, tuned, ConnectionFactoryOptions.CONNECT_TIMEOUT, CONNECT_TIMEOUT);
		absent(options, tuned, PostgresqlConnectionFactoryProvider.APPLICATION_NAME, "idempotency-gateway");
		absent(options, tuned, PostgresqlConnectionFactoryProvider.TCP_KEEPALIVE, true);
		// Records are octets; as text each would be two characters and a search.
		absent(options, tuned, PostgresqlConnectionFactoryProvider.FORCE_BINARY, true);
		absent(options, tuned, PostgresqlConnectionFactoryProvider.AUTODETECT_EXTENSIONS, false);
		return tuned.build();
	}

	private static <T> void absent(ConnectionFactoryOptions options, ConnectionFactoryOptions.Builder tuned,
			Option<T> option, T value) {
		if (!options.hasOption(option)) {
			tuned.option(option, value);
		}
	}

}
