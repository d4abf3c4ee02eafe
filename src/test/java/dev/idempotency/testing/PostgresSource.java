package dev.idempotency.testing;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.testcontainers.DockerClientFactory;

/** Where a PostgreSQL for a test comes from, in the order in which they are tried. */
public enum PostgresSource {

	/** A container, where a Docker daemon answers. */
	CONTAINER {
		@Override
		public boolean isAvailable() {
			boolean linux = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
			boolean daemon = System.getenv("DOCKER_HOST") != null || Files.exists(Path.of("/var/run/docker.sock"));
			return linux && daemon && DockerClientFactory.instance().isDockerAvailable();
		}

		@Override
		PostgresHost run(int port, List<String> settings) {
			return new PostgresContainer(port, settings);
		}
	},

	/** The newest PostgreSQL of the machine, where packages of Debian put it. */
	MACHINE {
		@Override
		public boolean isAvailable() {
			return binaries().isPresent();
		}

		@Override
		PostgresHost run(int port, List<String> settings) {
			return new PostgresProcess(binaries().orElseThrow(), port, settings);
		}

		private Optional<Path> binaries() {
			File[] versions = new File("/usr/lib/postgresql").listFiles();
			return Arrays.stream((versions != null) ? versions : new File[0])
				.map((version) -> version.toPath().resolve("bin"))
				.filter((folder) -> Files.isExecutable(folder.resolve("initdb")))
				.max(Comparator.comparing((folder) -> Integer.parseInt(folder.getParent().getFileName().toString())));
		}
	},

	/** A PostgreSQL out of a jar. */
	JAR {
		@Override
		public boolean isAvailable() {
			return true;
		}

		@Override
		PostgresHost run(int port, List<String> settings) {
			return new PostgresProcess(PostgresArchive.binaries(), port, settings);
		}
	};

	/** Whether it works here. */
	public abstract boolean isAvailable();

	abstract PostgresHost run(int port, List<String> settings);

	/** The first that works here. */
	public static PostgresSource first() {
		return available().get(0);
	}

	/** All that work here. */
	public static List<PostgresSource> available() {
		return Arrays.stream(values()).filter(PostgresSource::isAvailable).toList();
	}

}
