package dev.idempotency.deployment;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The steps of the Dockerfile without Docker: the jar in layers, the training, the start
 * with what it brought. On the newest Java that the machine has, which makes the cache of
 * Java 25 if it can, else the archive of classes that older ones know.
 */
class ImageIT {

	private static final List<String> LAYERS = List.of("dependencies", "spring-boot-loader", "snapshot-dependencies",
			"application");

	/** Spring's own way to end a training: as soon as everything is there. */
	private static final String TO_REFRESH = "-Dspring.context.exit=onRefresh";

	private static final Path JAVA = java();

	@TempDir
	static Path folder;

	private static Path gateway;

	private static boolean cacheOfJava25;

	@BeforeAll
	static void extract() throws Exception {
		Path jar = Files.copy(Path.of(System.getProperty("idempotency.jars") + "-exec.jar"),
				folder.resolve("gateway.jar"));
		run(folder, List.of("-Djarmode=tools", "-jar", jar.toString(), "extract", "--layers", "--destination",
				folder.resolve("layers").toString()));
		gateway = Files.createDirectory(folder.resolve("gateway"));
		for (String layer : LAYERS) {
			FileSystemUtils.copyRecursively(folder.resolve("layers").resolve(layer), gateway);
		}
		cacheOfJava25 = version() >= 25;
	}

	@Test
	void theLayersAreThoseOfTheDockerfile() throws Exception {
		try (Stream<Path> layers = Files.list(folder.resolve("layers"))) {
			assertThat(layers.map((layer) -> layer.getFileName().toString()))
				.containsExactlyInAnyOrderElementsOf(LAYERS);
		}
		String dockerfile = Files.readString(Path.of("Dockerfile"));
		assertThat(LAYERS).allSatisfy((layer) -> assertThat(dockerfile).contains("/build/layers/" + layer + "/ ./"));
	}

	@Test
	void whatChangesWithEachCommitIsSmall() throws Exception {
		assertThat(size(folder.resolve("layers/application")))
			.isLessThan(size(folder.resolve("layers/dependencies")) / 20);
	}

	@Test
	void theGatewayStartsFromItsLayers() throws Exception {
		run(gateway, List.of(TO_REFRESH, "-XX:TieredStopAtLevel=1", "-jar", "gateway.jar"));
		assertThat(gateway.resolve("log")).content().contains("idempotency.store is memory").doesNotContain("ERROR");
	}

	/** Three starts and the writing of a cache: in the long form only. */
	@Test
	@EnabledIfSystemProperty(named = "idempotency.test.full", matches = "true")
	void theGatewayStartsSoonerFromItsLayersAndACacheThanFromThePlainJar() throws Exception {
		String cache = gateway.resolve("gateway.cache").toString();
		run(gateway, List.of((cacheOfJava25 ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + cache, TO_REFRESH,
				"-jar", "gateway.jar"));
		assertThat(Path.of(cache)).isNotEmptyFile();
		Duration plain = run(folder, List.of(TO_REFRESH, "-jar", "gateway.jar"));
		Duration cached = run(gateway, List.of((cacheOfJava25 ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + cache,
				TO_REFRESH, "-jar", "gateway.jar"));
		System.out.printf(Locale.ROOT,
				"Start on Java %d: plain jar %d ms, layers with cache %d ms of CPU, ratio %.2f%n", version(),
				plain.toMillis(), cached.toMillis(), (double) cached.toMillis() / plain.toMillis());
		assertThat(cached).isLessThan(plain.multipliedBy(3).dividedBy(4));
	}

	/** Time of the processors rather than of the wall, which others share. */
	private static Duration run(Path directory, List<String> arguments) throws Exception {
		List<String> command = new ArrayList<>(List.of(JAVA.toString()));
		command.addAll(arguments);
		ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(directory.resolve("log").toFile());
		builder.environment().remove("GATEWAY_ROUTES");
		builder.environment().put("SERVER_PORT", "0");
		builder.environment().put("MANAGEMENT_SERVER_PORT", "0");
		Process process = builder.start();
		Duration spent = Duration.ZERO;
		while (!process.waitFor(50, TimeUnit.MILLISECONDS)) {
			spent = process.toHandle().info().totalCpuDuration().orElse(spent);
		}
		assertThat(process.exitValue()).as(Files.readString(directory.resolve("log"))).isZero();
		return spent;
	}

	private static Path java() {
		String name = File.separatorChar == '/' ? "java" : "java.exe";
		Path own = Path.of(System.getProperty("java.home"), "bin", name);
		Path others = Path.of("/usr/lib/jvm");
		if (!Files.isDirectory(others)) {
			return own;
		}
		try (Stream<Path> installed = Files.list(others)) {
			return installed.filter((home) -> home.getFileName().toString().matches(".*\\b25\\b.*"))
				.map((home) -> home.resolve("bin").resolve(name))
				.filter(Files::isExecutable)
				.findFirst()
				.orElse(own);
		}
		catch (IOException ex) {
			return own;
		}
	}

	private static int version() throws Exception {
		Process process = new ProcessBuilder(JAVA.toString(), "-XshowSettings:properties", "-version")
			.redirectErrorStream(true)
			.start();
		return new String(process.getInputStream().readAllBytes()).lines()
			.filter((line) -> line.contains("java.specification.version ="))
			.map((line) -> Integer.parseInt(line.replaceAll(".*= ", "").trim()))
			.findFirst()
			.orElseThrow();
	}

	private static long size(Path start) throws IOException {
		try (Stream<Path> files = Files.walk(start)) {
			return files.filter(Files::isRegularFile).mapToLong((file) -> file.toFile().length()).sum();
		}
	}

}
