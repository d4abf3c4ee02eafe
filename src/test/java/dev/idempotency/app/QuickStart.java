package dev.idempotency.app;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The ready gateway unpacked, its classes loaded once and archived: so it starts in a
 * third of the time, and one that is killed is back before the next one is.
 */
final class QuickStart {

	private QuickStart() {
	}

	/** What a Java runtime needs to know to run it. */
	static List<String> program() {
		try {
			Path folder = Files.createTempDirectory("quick-start-");
			Path jar = Path.of(System.getProperty("idempotency.jars") + "-exec.jar");
			Path log = folder.resolve("log");
			run(log, "-Djarmode=tools", "-jar", jar.toString(), "extract", "--destination",
					folder.resolve("app").toString());
			List<String> program = List.of("-jar", folder.resolve("app").resolve(jar.getFileName()).toString());
			Path archive = folder.resolve("classes");
			List<String> rehearsal = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1",
					"-XX:ArchiveClassesAtExit=" + archive, "-Dspring.context.exit=onRefresh"));
			rehearsal.addAll(program);
			rehearsal.addAll(List.of("--server.port=0", "--management.server.port=0"));
			run(log, rehearsal.toArray(String[]::new));
			List<String> quick = new ArrayList<>(List.of("-XX:SharedArchiveFile=" + archive));
			quick.addAll(program);
			return quick;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void run(Path log, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
		command.addAll(Arrays.asList(arguments));
		File output = log.toFile();
		int code = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(output))
			.start()
			.onExit()
			.join()
			.exitValue();
		if (code != 0) {
			throw new IllegalStateException(command + " ended with " + code + ": " + Files.readString(log));
		}
	}

}
