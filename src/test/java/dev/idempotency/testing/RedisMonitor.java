package dev.idempotency.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;

/** Collects what a server is told, by {@code MONITOR}. */
public final class RedisMonitor implements AutoCloseable {

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final RedisCommandLine connection;

	private final int port;

	RedisMonitor(int port) {
		this.port = port;
		try {
			this.connection = new RedisCommandLine(port);
			this.connection.command("MONITOR");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Thread reader = new Thread(this::read, "redis-monitor");
		reader.setDaemon(true);
		reader.start();
	}

	/** The commands clients have sent so far that name something, in their order. */
	public List<String> commands(String something) {
		return soFar().stream().filter((line) -> line.contains(something) && !isByScript(line)).toList();
	}

	/** What scripts have done so far with something. */
	public List<String> byScripts(String something) {
		return soFar().stream().filter((line) -> line.contains(something) && isByScript(line)).toList();
	}

	private List<String> soFar() {
		String mark = "mark-" + System.nanoTime();
		try (RedisCommandLine line = new RedisCommandLine(this.port)) {
			line.command("ECHO", mark);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Awaitility.await().until(() -> this.lines.stream().anyMatch((line) -> line.contains(mark)));
		return this.lines;
	}

	private static boolean isByScript(String line) {
		return line.contains(" lua] ");
	}

	@Override
	public void close() throws IOException {
		this.connection.close();
	}

	private void read() {
		try {
			while (true) {
				this.lines.add(this.connection.line());
			}
		}
		catch (IOException ex) {
			// Closed: that is how it ends.
		}
	}

}
