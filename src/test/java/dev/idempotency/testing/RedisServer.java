package dev.idempotency.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

import org.awaitility.Awaitility;

/**
 * A real Redis on the loopback interface, on a port of its own that it keeps when it is
 * started again. It writes nothing to disk unless told to.
 */
public final class RedisServer implements AutoCloseable {

	private final RedisSource source;

	private final int port;

	private final List<String> options;

	private RedisHost host;

	private RedisServer(RedisSource source, int port, List<String> options) {
		this.source = source;
		this.port = port;
		this.options = options;
		this.host = source.run(port, options);
		awaitReady();
	}

	/**
	 * A server from the first source there is.
	 * @param options what would stand behind {@code redis-server} on a command line
	 */
	public static RedisServer start(String... options) {
		return start(RedisSource.first(), options);
	}

	/** A server from a certain source. */
	public static RedisServer start(RedisSource source, String... options) {
		RedisServer server = new RedisServer(source, freePort(), List.of(options));
		System.out.println("Redis on port " + server.port + " from " + source);
		return server;
	}

	/** A copy of a server that has finished copying. */
	public static RedisServer replicaOf(RedisServer primary) {
		RedisServer replica = start(primary.source, "--replicaof", "127.0.0.1", Integer.toString(primary.port));
		Awaitility.await().until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
		return replica;
	}

	/** The port, the same through its whole life. */
	public int port() {
		return this.port;
	}

	/**
	 * One command on a connection of its own; the reply as text, a character an octet.
	 */
	public String command(String... words) {
		try (RedisCommandLine line = new RedisCommandLine(this.port)) {
			return line.command(words);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Everything the server is told from now on. */
	public RedisMonitor monitor() {
		return new RedisMonitor(this.port);
	}

	/** Freezes the process: connections stay open, nothing is answered. */
	public void pause() {
		this.host.pause();
	}

	/** Lets it run on; it carries out what has arrived meanwhile. */
	public void resume() {
		this.host.resume();
	}

	/** Ends it without a goodbye; without persistence everything is lost. */
	public void kill() {
		this.host.kill();
	}

	/** Starts it again after {@link #kill()}, on the same port. */
	public void restart() {
		this.host = this.source.run(this.port, this.options);
		awaitReady();
	}

	@Override
	public void close() {
		this.host.kill();
	}

	private void awaitReady() {
		Awaitility.await()
			.ignoreException(UncheckedIOException.class)
			.until(() -> this.command("PING").matches("PONG|NOAUTH.*"));
	}

	private static int freePort() {
		// The bus of a cluster node has its port 10,000 above, which has to exist.
		while (true) {
			try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
				if (socket.getLocalPort() < 55_000) {
					return socket.getLocalPort();
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

}
