package dev.idempotency.load.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A child process that ends with this one, at the latest. */
final class Program implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final Process process;

	private final Path log;

	private Program(Process process, Path log) {
		this.process = process;
		this.log = log;
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
	}

	/**
	 * Starts it; what it prints goes to a file {@code log} in its folder.
	 * @param folder its working directory
	 * @param environment added to this process's own
	 * @param command the program and its arguments
	 */
	static Program start(Path folder, Map<String, String> environment, List<String> command) {
		try {
			Path log = folder.resolve("log");
			ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
				.redirectErrorStream(true)
				.redirectOutput(log.toFile());
			builder.environment().putAll(environment);
			return new Program(builder.start(), log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static Path folder(String name) {
		try {
			return Files.createTempDirectory(name + "-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	ProcessHandle handle() {
		return this.process.toHandle();
	}

	/** Fails with what it printed if it has ended. */
	void requireAlive() {
		if (!this.process.isAlive()) {
			throw new IllegalStateException("ended by itself:\n" + log());
		}
	}

	/** Sends a signal such as {@code STOP}. */
	void signal(String name) {
		try {
			new ProcessBuilder("sh", "-c", "kill -" + name + " " + this.process.pid()).start().onExit().join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String log() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Asks it to end, so that a recording of its profile is written, but not for ever.
	 */
	@Override
	public void close() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
