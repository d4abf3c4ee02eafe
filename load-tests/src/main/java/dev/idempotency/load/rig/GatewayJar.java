package dev.idempotency.load.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The ready gateway as the build of the repository made it. */
public final class GatewayJar {

	/** The system property that names another jar. */
	public static final String PROPERTY = "gateway.jar";

	/** The folder of this project, in that of the repository. */
	private static final String PROJECT = "load-tests";

	private static final String SUFFIX = "-exec.jar";

	private GatewayJar() {
	}

	/**
	 * The jar in {@code target} of the repository, or the one that was named. Maven runs
	 * simulations in the folder it was started in, which may be either.
	 */
	public static Path find() {
		String named = System.getProperty(PROPERTY);
		return (named != null) ? Path.of(named).toAbsolutePath() : built();
	}

	private static Path built() {
		Path target = Stream.of(Path.of("target"), Path.of("..", "target"))
			.map((folder) -> folder.toAbsolutePath().normalize())
			.filter((folder) -> !folder.getParent().endsWith(PROJECT))
			.findFirst()
			.orElseThrow();
		if (!Files.isDirectory(target)) {
			throw missing(target);
		}
		try (Stream<Path> files = Files.list(target)) {
			return files.filter((file) -> file.toString().endsWith(SUFFIX))
				.findFirst()
				.orElseThrow(() -> missing(target));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static IllegalStateException missing(Path target) {
		return new IllegalStateException("no *" + SUFFIX + " in " + target + ": run ./mvnw -DskipTests package in the"
				+ " repository, or name one with -D" + PROPERTY);
	}

}
