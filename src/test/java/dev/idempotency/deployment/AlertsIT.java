package dev.idempotency.deployment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each alert rings when its thing happens, and not on a quiet day. Prometheus' own tool
 * says so; left out where it is not installed.
 */
class AlertsIT {

	private static final Path RULES = Path.of("k8s/monitoring/prometheusrule.yaml");

	private static final Path TESTS = Path.of("src/test/resources/prometheus/alerts.yml");

	private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

	@TempDir
	Path folder;

	@Test
	void ringWhenTheirThingHappensAndNotOtherwise() throws Exception {
		Assumptions.assumeTrue(isInstalled(), "promtool is not installed");
		YAML.writeValue(this.folder.resolve("rules.yml").toFile(), YAML.readTree(RULES.toFile()).get("spec"));
		Files.copy(TESTS, this.folder.resolve("alerts.yml"));
		Path said = this.folder.resolve("said");
		Process process = new ProcessBuilder(List.of("promtool", "test", "rules", "alerts.yml"))
			.directory(this.folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(said.toFile())
			.start();
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(process.exitValue()).as(Files.readString(said)).isZero();
	}

	@Test
	void eachIsTriedBothWays() throws Exception {
		Set<String> alerts = new TreeSet<>(YAML.readTree(RULES.toFile()).findValuesAsText("alert"));
		JsonNode tests = YAML.readTree(TESTS.toFile()).get("tests");
		assertThat(new TreeSet<>(tests.get(0).findValuesAsText("alertname"))).isEqualTo(alerts);
		String ringing = tests.findValuesAsText("expr").stream().collect(Collectors.joining());
		assertThat(alerts).allSatisfy((alert) -> assertThat(ringing).contains("\"" + alert + "\""));
	}

	private static boolean isInstalled() {
		return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
			.anyMatch((folder) -> Files.isExecutable(Path.of(folder, "promtool")));
	}

}
