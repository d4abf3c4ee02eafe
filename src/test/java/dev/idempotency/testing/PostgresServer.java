package dev.idempotency.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

import org.awaitility.Awaitility;

/**
 * A real PostgreSQL on the loopback interface, on a port of its own that it keeps when it
 * is started again. Whoever connects is welcome, as user {@code postgres}.
 */
public final class PostgresServer implements AutoCloseable {

	private static final Duration START_LIMIT = Duration.ofSeconds(60);

	private final PostgresHost host;

	private final int port;

	private PostgresServer(PostgresHost host, int port) {
		this.host = host;
		this.port = port;
		awaitReady();
	}

	/**
	 * A server from the first source there is.
	 * @param settings what would stand behind {@code postgres -c} on a command line
	 */
	public static PostgresServer start(String... settings) {
		return start(PostgresSource.first(), settings);
	}

	/** A server from a certain source. */
	public static PostgresServer start(PostgresSource source, String... settings) {
		int port = FreePort.next();
		PostgresServer server = new PostgresServer(source.run(port, List.of(settings)), port);
		System.out
			.println("PostgreSQL " + server.query("show server_version") + " on port " + port + " from " + source);
		return server;
	}

	/** The port, the same through its whole life. */
	public int port() {
		return this.port;
	}

	/**
	 * Carries out a statement on a connection of its own.
	 * @return the first column of the first row as text, {@code null} if there is none
	 */
	public String query(String sql) {
		try (Connection connection = connect(); Statement statement = connection.createStatement()) {
			if (!statement.execute(sql)) {
				return null;
			}
			ResultSet result = statement.getResultSet();
			return result.next() ? result.getString(1) : null;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Changes a setting of the running server. */
	public void set(String setting, String value) {
		query("alter system set " + setting + " = '" + value + "'");
		query("select pg_reload_conf()");
		Awaitility.await().until(() -> value.equals(query("show " + setting)));
	}

	/** A connection of the test's own. */
	public Connection connect() throws SQLException {
		Properties properties = new Properties();
		properties.setProperty("user", "postgres");
		properties.setProperty("connectTimeout", "2");
		return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + this.port + "/postgres", properties);
	}

	/** Freezes all its processes: connections stay open, nothing is answered. */
	public void pause() {
		this.host.pause();
	}

	/** Lets them run on; they carry out what has arrived meanwhile. */
	public void resume() {
		this.host.resume();
	}

	/** Ends all its processes without a goodbye; what was committed is on disk. */
	public void kill() {
		this.host.kill();
	}

	/** Starts it again after {@link #kill()}, on the same port and data. */
	public void restart() {
		this.host.start();
		awaitReady();
	}

	@Override
	public void close() {
		this.host.kill();
		this.host.clean();
	}

	private void awaitReady() {
		Awaitility.await()
			.atMost(START_LIMIT)
			.ignoreException(IllegalStateException.class)
			.until(() -> "1".equals(query("select 1")));
	}

}
