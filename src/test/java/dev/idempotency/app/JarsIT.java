package dev.idempotency.app;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class JarsIT {

	private static final String JARS = System.getProperty("idempotency.jars");

	@TempDir
	Path folder;

	@Test
	void aNamedRoutesFileThatIsMissingStopsTheStartWithOneLine() throws Exception {
		Path gone = this.folder.resolve("gone.yml");
		ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-jar", JARS + "-exec.jar");
		builder.environment().put(RoutesFiles.VARIABLE, gone.toString());
		Process process = builder.redirectErrorStream(true).directory(this.folder.toFile()).start();
		String said = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(said.lines()).singleElement().asString().contains(RoutesFiles.VARIABLE, gone.toString());
		assertThat(process.exitValue()).isEqualTo(1);
	}

	@Test
	void thePluginBringsNothingThatBelongsToAnApplication() throws Exception {
		try (JarFile plugin = new JarFile(JARS + ".jar")) {
			assertThat(plugin.stream().map(ZipEntry::getName)).contains("dev/idempotency/core/IdempotencyPolicy.class")
				.noneMatch((name) -> name.startsWith("dev/idempotency/app/"))
				.noneMatch((name) -> name.matches("[^/]+\\.(yml|yaml|properties|xml)"))
				.doesNotContain("META-INF/build-info.properties");
			assertThat(plugin.getManifest().getMainAttributes().getValue("Main-Class")).isNull();
		}
	}

}
