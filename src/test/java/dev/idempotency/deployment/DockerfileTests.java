package dev.idempotency.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What of the Dockerfile can be checked without Docker; {@link ImageIT} does its steps.
 */
class DockerfileTests {

	private static List<String> instructions() throws IOException {
		return Files.readAllLines(Path.of("Dockerfile")).stream().filter((line) -> line.matches("[A-Z]+ .*")).toList();
	}

	@Test
	void runsOnJava25AsSomebodyWithoutRights() throws IOException {
		List<String> last = instructions().subList(lastFrom(), instructions().size());
		assertThat(last.get(0)).isEqualTo("FROM eclipse-temurin:25-jre");
		assertThat(last).contains("USER 10001:10001");
	}

	@Test
	void hasNoShellBetweenSignalsAndTheGateway() throws IOException {
		assertThat(instructions()).last()
			.isEqualTo("ENTRYPOINT [ \"java\", \"-XX:AOTCache=gateway.aot\", \"-jar\", \"gateway.jar\" ]");
	}

	/** A cache is good for exactly the runtime and the files it was made with. */
	@Test
	void trainsOnTheRuntimeAndTheLayersThatItShips() throws IOException {
		List<String> all = instructions();
		int training = all.indexOf("FROM eclipse-temurin:25-jre AS trained");
		List<String> trained = all.subList(training + 1, lastFrom());
		List<String> shipped = all.subList(lastFrom() + 1, all.size());
		assertThat(layers(shipped)).isEqualTo(layers(trained)).hasSize(4);
	}

	@Test
	void leavesOutOfTheBuildWhatItDoesNotCopy() throws IOException {
		List<String> ignored = Files.readAllLines(Path.of(".dockerignore"));
		assertThat(ignored.get(0)).isEqualTo("*");
		assertThat(instructions()).filteredOn((line) -> line.startsWith("COPY ") && !line.contains("--from="))
			.extracting((line) -> line.split(" ")[1])
			.allMatch((source) -> ignored.stream()
				.anyMatch((kept) -> kept.equals("!" + source) || source.startsWith(kept.substring(1) + "/")));
	}

	private static List<String> layers(List<String> lines) {
		return lines.stream().filter((line) -> line.startsWith("COPY --from=layers /build/layers/")).toList();
	}

	private static int lastFrom() throws IOException {
		List<String> all = instructions();
		for (int i = all.size() - 1; i >= 0; i--) {
			if (all.get(i).startsWith("FROM ")) {
				return i;
			}
		}
		throw new AssertionError("no FROM");
	}

}
