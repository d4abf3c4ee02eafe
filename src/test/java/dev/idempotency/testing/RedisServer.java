package dev.idempotency.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;

/**
 * A real Redis on the loopback interface, on a port of its own that it keeps when it is
 * started again. It writes nothing to disk unless told to.
 */
public final class RedisServer implements AutoCloseable {

	private static final int CLUSTER_NODES = 3;

	private static final int SLOTS = 16384;

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
		RedisServer server = new RedisServer(source, FreePort.next(), List.of(options));
		System.out.println("Redis on port " + server.port + " from " + source);
		return server;
	}

	/** A copy of a server that has finished copying. */
	public static RedisServer replicaOf(RedisServer primary) {
		RedisServer replica = start(primary.source, "--replicaof", "127.0.0.1", Integer.toString(primary.port));
		Awaitility.await().until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
		return replica;
	}

	/** A sentinel that is enough to move a master by itself. */
	public static RedisServer sentinelOf(RedisServer primary, String name) {
		RedisSource source = RedisSource.firstProcess();
		try {
			Path file = Files.createTempFile("sentinel", ".conf");
			Files.writeString(file,
					"sentinel monitor " + name + " 127.0.0.1 " + primary.port + " 1\n"
							+ "sentinel down-after-milliseconds " + name + " 1000\nsentinel failover-timeout " + name
							+ " 3000\n");
			return start(source, file.toString(), "--sentinel");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Three servers that share the slots. */
	public static List<RedisServer> cluster() {
		return cluster(RedisSource.first());
	}

	/** The same from a certain source. */
	public static List<RedisServer> cluster(RedisSource source) {
		List<RedisServer> nodes = new ArrayList<>();
		for (int node = 0; node < CLUSTER_NODES; node++) {
			nodes.add(start(source, "--cluster-enabled", "yes", "--cluster-node-timeout", "2000"));
		}
		shareSlots(nodes);
		return nodes;
	}

	/** A cluster anew, empty, from nodes that were killed. */
	public static void restart(List<RedisServer> nodes) {
		nodes.forEach(RedisServer::restart);
		shareSlots(nodes);
	}

	private static void shareSlots(List<RedisServer> nodes) {
		for (int node = 0; node < nodes.size(); node++) {
			List<String> slots = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
			for (int slot = node; slot < SLOTS; slot += nodes.size()) {
				slots.add(Integer.toString(slot));
			}
			RedisServer server = nodes.get(node);
			server.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(node + 1));
			server.command(slots.toArray(String[]::new));
			server.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(nodes.get(0).port));
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> nodes.stream()
				.allMatch((node) -> node.command("CLUSTER", "INFO").contains("cluster_state:ok")
						&& node.command("CLUSTER", "NODES").lines().count() == CLUSTER_NODES));
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

}
