package dev.idempotency.load.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Small parts of the hot path by themselves, measured by JMH inside the gateway's own
 * jars.
 */
final class Micro {

	private static final Path SOURCES = Path.of("src", "micro", "java");

	private Micro() {
	}

	/**
	 * Compiles them and lets JMH run them.
	 * @param arguments as JMH takes them
	 * @return JMH's exit code
	 */
	static int run(Extracted extracted, String... arguments) throws IOException {
		String tools = System.getProperty("java.class.path");
		Path compiled = extracted.compile(SOURCES, tools);
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				String.join(File.pathSeparator, compiled.toString(), extracted.classPath((library) -> true), tools),
				"org.openjdk.jmh.Main"));
		command.addAll(List.of(arguments));
		return new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue();
	}

}
