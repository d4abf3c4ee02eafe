package dev.idempotency.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.testcontainers.DockerClientFactory;
import redis.embedded.core.ExecutableProvider;

/** Where a Redis for a test comes from, in the order in which they are tried. */
public enum RedisSource {

	/** A container, where a Docker daemon answers. */
	CONTAINER {
		@Override
		public boolean isAvailable() {
			// Host networking lets servers find one another; elsewhere it does not exist.
			boolean linux = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
			boolean daemon = System.getenv("DOCKER_HOST") != null || Files.exists(Path.of("/var/run/docker.sock"));
			return linux && daemon && DockerClientFactory.instance().isDockerAvailable();
		}

		@Override
		RedisHost run(int port, List<String> options) {
			return new RedisContainer(arguments(port, "/tmp", options));
		}
	},

	/** The {@code redis-server} of the machine. */
	MACHINE {
		@Override
		public boolean isAvailable() {
			return onPath().isPresent();
		}

		@Override
		RedisHost run(int port, List<String> options) {
			return process(onPath().orElseThrow(), port, options);
		}

		private Optional<File> onPath() {
			return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
				.map((folder) -> new File(folder, "redis-server"))
				.filter(File::canExecute)
				.findFirst();
		}
	},

	/** A Redis 6.2 out of a jar. */
	JAR {
		@Override
		public boolean isAvailable() {
			return true;
		}

		@Override
		RedisHost run(int port, List<String> options) {
			return process(Executable.FILE, port, options);
		}
	};

	/** Whether it works here. */
	public abstract boolean isAvailable();

	abstract RedisHost run(int port, List<String> options);

	/** The first that works here. */
	public static RedisSource first() {
		return available().get(0);
	}

	/** The first that runs as a child of this process, for what needs files. */
	static RedisSource firstProcess() {
		return MACHINE.isAvailable() ? MACHINE : JAR;
	}

	/** All that work here. */
	public static List<RedisSource> available() {
		return Arrays.stream(values()).filter(RedisSource::isAvailable).toList();
	}

	private static RedisHost process(File executable, int port, List<String> options) {
		try {
			Path home = Files.createTempDirectory("redis-" + port + "-");
			List<String> command = new ArrayList<>(List.of(executable.getAbsolutePath()));
			command.addAll(arguments(port, home.toString(), options));
			return new RedisProcess(command, home);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A configuration file, if there is one, has to come first. */
	private static List<String> arguments(int port, String home, List<String> options) {
		List<String> arguments = new ArrayList<>(options);
		int first = (!options.isEmpty() && !options.get(0).startsWith("--")) ? 1 : 0;
		arguments.addAll(first, List.of("--port", Integer.toString(port), "--bind", "127.0.0.1", "--save", "",
				"--appendonly", "no", "--dir", home));
		return arguments;
	}

	/** Unpacked once. */
	private static final class Executable {

		static final File FILE = unpack();

		private static File unpack() {
			try {
				return ExecutableProvider.newJarResourceProvider().get();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
