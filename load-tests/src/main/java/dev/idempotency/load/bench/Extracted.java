package dev.idempotency.load.bench;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import javax.tools.ToolProvider;

/**
 * The ready gateway's jar taken apart, so that other programs can be made of the very
 * same libraries: a gateway without the plugin, or small measurements inside it.
 *
 * @param folder with {@code application}, {@code libraries} and {@code compiled}
 */
record Extracted(Path folder) {

	private static final String CLASSES = "BOOT-INF/classes/";

	private static final String FACTS = "META-INF/";

	private static final String LIBRARIES = "BOOT-INF/lib/";

	/**
	 * Takes a jar apart.
	 * @param file the jar
	 * @param folder where its parts go
	 */
	static Extracted of(Path file, Path folder) {
		clear(folder);
		try (InputStream content = Files.newInputStream(file); ZipInputStream jar = new ZipInputStream(content)) {
			for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
				extract(jar, entry, CLASSES, folder.resolve("application"));
				extract(jar, entry, FACTS, folder.resolve("application").resolve(FACTS));
				extract(jar, entry, LIBRARIES, folder.resolve("libraries"));
			}
			return new Extracted(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Libraries of an older jar must not stay beside those of this one. */
	private static void clear(Path folder) {
		if (!Files.exists(folder)) {
			return;
		}
		try (Stream<Path> old = Files.walk(folder)) {
			for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(path);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void extract(InputStream jar, ZipEntry entry, String prefix, Path to) throws IOException {
		if (!entry.isDirectory() && entry.getName().startsWith(prefix)) {
			copy(jar, to.resolve(entry.getName().substring(prefix.length())));
		}
	}

	private static void copy(InputStream content, Path to) throws IOException {
		Files.createDirectories(to.getParent());
		Files.copy(content, to, StandardCopyOption.REPLACE_EXISTING);
	}

	/**
	 * Compiles all sources in a folder.
	 * @param sources for instance {@code src/stock/java}
	 * @param tools more of the class path, annotation processors included; may be empty
	 * @return where the classes are
	 */
	Path compile(Path sources, String tools) {
		Path output = this.folder.resolve("compiled").resolve(sources.toString().replace(File.separatorChar, '-'));
		List<String> arguments = new ArrayList<>(List.of("-nowarn", "-parameters", "-d", output.toString(), "-cp",
				String.join(File.pathSeparator, classPath((library) -> true), tools)));
		// Named, since newer compilers run no processor that just lies on the class path.
		arguments.addAll(tools.isEmpty() ? List.of("-proc:none") : List.of("-processorpath", tools));
		try (Stream<Path> files = Files.walk(sources)) {
			Files.createDirectories(output);
			files.filter((source) -> source.toString().endsWith(".java")).map(Path::toString).forEach(arguments::add);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)) != 0) {
			throw new IllegalStateException("cannot compile " + sources);
		}
		return output;
	}

	/** The plugin, the ready gateway, and the libraries whose names are wanted. */
	String classPath(Predicate<String> wanted) {
		return this.folder.resolve("application") + File.pathSeparator + libraries(wanted);
	}

	/** The libraries whose names are wanted. */
	String libraries(Predicate<String> wanted) {
		try (Stream<Path> files = Files.list(this.folder.resolve("libraries"))) {
			return files.filter((file) -> wanted.test(file.getFileName().toString()))
				.sorted()
				.map(Path::toString)
				.collect(Collectors.joining(File.pathSeparator));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
