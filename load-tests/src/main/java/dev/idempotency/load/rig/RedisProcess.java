package dev.idempotency.load.rig;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import redis.embedded.core.ExecutableProvider;

/**
 * A real Redis: the {@code redis-server} of the machine, else a Redis 6.2 out of a jar.
 * It writes nothing to disk.
 */
public final class RedisProcess implements AutoCloseable {

	private final int port = Ports.free();

	private final Path folder = Program.folder("redis");

	private Program program;

	private RedisProcess() {
		this.program = run();
	}

	/** Starts one on a free port and waits until it answers. */
	public static RedisProcess start() {
		return new RedisProcess();
	}

	private Program run() {
		Program started = Program.start(this.folder, Map.of(),
				List.of(executable(), "--port", Integer.toString(this.port), "--bind", "127.0.0.1", "--save", "",
						"--appendonly", "no", "--dir", this.folder.toString()));
		Await.until("Redis answers", Duration.ofSeconds(20), () -> {
			started.requireAlive();
			return answers();
		});
		return started;
	}

	private boolean answers() {
		try (RedisConnection connection = new RedisConnection(this.port)) {
			return connection.command("PING").equals("PONG");
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Where it listens, on the loopback interface. */
	public int port() {
		return this.port;
	}

	/** One command; its reply as text. */
	public String command(String... words) {
		try (RedisConnection connection = new RedisConnection(this.port)) {
			return connection.command(words);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Lets it neither answer nor close connections. */
	public void freeze() {
		this.program.signal("STOP");
	}

	/** Ends a {@link #freeze()}. */
	public void thaw() {
		this.program.signal("CONT");
	}

	@Override
	public void close() {
		this.program.close();
	}

	private static String executable() {
		return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.map((place) -> new File(place, "redis-server"))
			.filter(File::canExecute)
			.findFirst()
			.map(File::getPath)
			.orElseGet(RedisProcess::unpacked);
	}

	private static String unpacked() {
		try {
			return ExecutableProvider.newJarResourceProvider().get().getAbsolutePath();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
