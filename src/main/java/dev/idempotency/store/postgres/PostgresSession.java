package dev.idempotency.store.postgres;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.Wrapped;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A pool of connections, each of which is used for one statement at a time. */
final class PostgresSession {

	/** Handshake of one connection, TLS and SCRAM included. */
	private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);

	private static final Duration GOODBYE_LIMIT = Duration.ofMillis(500);

	private static final Runnable NOTHING = () -> {
	};

	private final ConnectionPool pool;

	PostgresSession(ConnectionFactory factory, PostgresStoreSettings settings) {
		this.pool = new ConnectionPool(ConnectionPoolConfiguration.builder(factory)
			.initialSize(0)
			.maxSize(settings.connections())
			.maxCreateConnectionTime(CONNECT_LIMIT)
			// After an outage every idle connection may be found dead, one after another.
			.acquireRetry(settings.connections())
			.build());
	}

	/**
	 * Carries out one statement in a transaction of its own.
	 * @param <T> what a row becomes
	 * @param sql the statement
	 * @param mapping what a row means
	 * @param values its parameters
	 * @return the row, empty if there is none; not before the transaction is committed
	 */
	<T> Mono<T> run(String sql, Function<Row, T> mapping, Object... values) {
		return run(NOTHING, sql, mapping, values);
	}

	/** The same, and tells when the statement is about to leave. */
	<T> Mono<T> run(Runnable whenSent, String sql, Function<Row, T> mapping, Object... values) {
		return use((connection) -> {
			whenSent.run();
			return execute(connection, sql, mapping, values).singleOrEmpty();
		});
	}

	/** The same with any number of rows. */
	<T> Mono<List<T>> list(String sql, Function<Row, T> mapping, Object... values) {
		return use((connection) -> execute(connection, sql, mapping, values).collectList());
	}

	/** Carries out statements without parameters, all in one transaction. */
	Mono<Void> runScript(String script) {
		return use((connection) -> Flux.from(connection.createStatement(script).execute())
			.flatMap((result) -> result.getRowsUpdated())
			.then());
	}

	/** Closes what is idle at once, and the rest when it is given back. */
	void close() {
		this.pool.disposeLater().subscribe(null, (ignored) -> {
		});
	}

	private <T> Mono<T> use(Function<Connection, Mono<T>> work) {
		return Mono.usingWhen(this.pool.create(), work, Connection::close, (connection, failure) -> connection.close(),
				PostgresSession::abandon);
	}

	private static <T> Flux<T> execute(Connection connection, String sql, Function<Row, T> mapping, Object... values) {
		Statement statement = connection.createStatement(sql);
		for (int i = 0; i < values.length; i++) {
			statement.bind(i, values[i]);
		}
		return Flux.from(statement.execute()).flatMap((result) -> result.map((row, metadata) -> mapping.apply(row)));
	}

	/**
	 * Gives up a statement that was not answered in time, and its connection with it:
	 * whoever used that next would wait behind it. The server is told, since it would
	 * else keep what it has locked, and a process, for as long as it likes.
	 */
	private static Mono<Void> abandon(Connection pooled) {
		return Mono.defer(() -> {
			Connection connection = unwrapped(pooled);
			Mono<Void> cancelled = (connection instanceof PostgresqlConnection postgres) ? postgres.cancelRequest()
					: Mono.empty();
			return cancelled.timeout(GOODBYE_LIMIT)
				.onErrorComplete()
				.then(Mono.from(connection.close()).timeout(GOODBYE_LIMIT).onErrorComplete())
				.then(Mono.from(pooled.close()));
		});
	}

	private static Connection unwrapped(Connection connection) {
		Connection inner = connection;
		while (inner instanceof Wrapped<?> wrapped && wrapped.unwrap() instanceof Connection next) {
			inner = next;
		}
		return inner;
	}

}
