package dev.idempotency.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.util.FileSystemUtils;

/** A server that is a child of this process and dies with it. */
final class PostgresProcess implements PostgresHost {

	private final Path binaries;

	private final Path home;

	private final List<String> command;

	private Process process;

	PostgresProcess(Path binaries, int port, List<String> settings) {
		this.binaries = binaries;
		this.home = home();
		run(List.of(program("initdb"), "-D", data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"));
		this.command = new ArrayList<>(List.of(program("postgres"), "-D", data(), "-p", Integer.toString(port), "-h",
				"127.0.0.1", "-k", "", "-c", "fsync=off"));
		settings.forEach((setting) -> this.command.addAll(List.of("-c", setting)));
		Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
		start();
	}

	@Override
	public void start() {
		this.process = begin(this.command);
	}

	@Override
	public void pause() {
		Signal.send("STOP", family());
	}

	@Override
	public void resume() {
		Signal.send("CONT", family());
	}

	@Override
	public void kill() {
		List<ProcessHandle> family = family();
		Signal.send("KILL", family);
		family.forEach((one) -> one.onExit().join());
	}

	@Override
	public void clean() {
		try {
			FileSystemUtils.deleteRecursively(this.home);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The parent first, so that it cannot replace children that end before it. */
	private List<ProcessHandle> family() {
		return Stream.concat(Stream.of(this.process.toHandle()), this.process.descendants())
			.filter(ProcessHandle::isAlive)
			.toList();
	}

	private String program(String name) {
		return this.binaries.resolve(name).toString();
	}

	private String data() {
		return this.home.resolve("data").toString();
	}

	private void run(List<String> words) {
		if (begin(words).onExit().join().exitValue() != 0) {
			throw new IllegalStateException("failed, see " + log() + ": " + words);
		}
	}

	private Process begin(List<String> words) {
		try {
			return new ProcessBuilder(PostgresUser.commandFor(words)).directory(new File("/"))
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private File log() {
		return this.home.resolve("postgres.log").toFile();
	}

	private static Path home() {
		try {
			Path home = Files.createTempDirectory("postgres-");
			PostgresUser.own(home);
			return home;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
