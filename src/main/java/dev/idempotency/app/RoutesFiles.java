package dev.idempotency.app;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

import org.springframework.util.StringUtils;

/**
 * The files an operator keeps routes and policies in, lowest precedence first.
 *
 * @param files absolute paths
 * @param required whether a file that is missing is an error
 */
record RoutesFiles(List<Path> files, boolean required) {

	/** The environment variable that names the files, separated by commas. */
	static final String VARIABLE = "GATEWAY_ROUTES";

	/** How {@code idempotency-gateway.yml} gets to know them. */
	static final String IMPORT_PROPERTY = "gateway.routes-import";

	private static final Path DEFAULT = Path.of("gateway-routes.yml");

	static RoutesFiles namedBy(@Nullable String names) {
		List<Path> named = Arrays.stream(StringUtils.commaDelimitedListToStringArray(names))
			.map(String::trim)
			.filter(StringUtils::hasText)
			.map((name) -> Path.of(name).toAbsolutePath())
			.toList();
		return named.isEmpty() ? new RoutesFiles(List.of(DEFAULT.toAbsolutePath()), false)
				: new RoutesFiles(named, true);
	}

	Optional<String> firstUnreadable() {
		return this.files.stream()
			.filter((file) -> this.required && !(Files.isRegularFile(file) && Files.isReadable(file)))
			.map(Path::toString)
			.findFirst();
	}

	/**
	 * What is wrong with the first file that is not YAML, in one line.
	 */
	Optional<String> firstMalformed() {
		return this.files.stream()
			.filter((file) -> Files.isReadable(file) && !file.toString().endsWith(".properties"))
			.flatMap((file) -> malformed(file).stream())
			.findFirst();
	}

	private static Optional<String> malformed(Path file) {
		try (Reader text = Files.newBufferedReader(file)) {
			new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text).forEach((document) -> {
			});
			return Optional.empty();
		}
		catch (MarkedYAMLException ex) {
			Mark where = ex.getProblemMark();
			return Optional.of(file + ": line " + (where.getLine() + 1) + ", column " + (where.getColumn() + 1) + ": "
					+ ex.getProblem());
		}
		catch (YAMLException | IOException ex) {
			return Optional.of(file + ": " + String.valueOf(ex.getMessage()).lines().findFirst().orElse(""));
		}
	}

	/** The value for {@code spring.config.import}. */
	String imports() {
		return this.files.stream()
			.map((file) -> (this.required ? "" : "optional:") + location(file))
			.collect(Collectors.joining(","));
	}

	List<String> locations() {
		return this.files.stream().map(RoutesFiles::location).toList();
	}

	/** A mounted file may have any name: what it does not say of its format is YAML. */
	private static String location(Path file) {
		String extension = StringUtils.getFilenameExtension(file.getFileName().toString());
		boolean known = extension != null && List.of("yml", "yaml", "properties").contains(extension);
		return file.toUri() + (known ? "" : "[.yml]");
	}

}
