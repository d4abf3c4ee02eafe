package dev.idempotency.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The compose file: it needs Docker to run, and none to be looked at. */
class DevelopmentTests {

	private static final Path FOLDER = Path.of("src/dev");

	private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

	private static JsonNode compose() throws IOException {
		return YAML.readTree(FOLDER.resolve("compose.yaml").toFile());
	}

	static Stream<Map.Entry<String, JsonNode>> services() throws IOException {
		return compose().get("services").properties().stream();
	}

	@Test
	void bringsWhatAGatewayHasBesideIt() throws IOException {
		assertThat(services().map(Map.Entry::getKey)).containsExactlyInAnyOrder("redis", "postgres", "prometheus",
				"grafana");
	}

	@ParameterizedTest
	@MethodSource("services")
	void eachImageIsOfANamedVersion(Map.Entry<String, JsonNode> service) {
		assertThat(service.getValue().get("image").asText()).matches("[a-z/]+:v?\\d[\\w.-]+");
	}

	@ParameterizedTest
	@MethodSource("services")
	void noPortIsOpenToAnybodyElse(Map.Entry<String, JsonNode> service) {
		assertThat(service.getValue().get("ports"))
			.allSatisfy((port) -> assertThat(port.asText()).startsWith("127.0.0.1:"));
	}

	@ParameterizedTest
	@MethodSource("services")
	void eachFileThatIsMountedIsThereAndNotWritten(Map.Entry<String, JsonNode> service) {
		JsonNode volumes = service.getValue().path("volumes");
		assertThat(volumes).allSatisfy((volume) -> {
			String[] parts = volume.asText().split(":");
			assertThat(Files.isRegularFile(FOLDER.resolve(parts[0]))).as(parts[0]).isTrue();
			assertThat(parts[2]).isEqualTo("ro");
		});
	}

	@ParameterizedTest
	@MethodSource("services")
	void whatOneServiceNamesIsAnother(Map.Entry<String, JsonNode> service) throws IOException {
		JsonNode names = compose().get("services");
		assertThat(service.getValue().path("depends_on")).allMatch((name) -> names.has(name.asText()));
	}

	@Test
	void redisDropsNoRecord() throws IOException {
		assertThat(compose().at("/services/redis/command").toString())
			.contains("\"--maxmemory-policy\",\"noeviction\"");
	}

	@Test
	void prometheusScrapesTheGatewayAndGrafanaAsksPrometheus() throws IOException {
		JsonNode scrape = YAML.readTree(FOLDER.resolve("prometheus.yml").toFile()).at("/scrape_configs/0");
		assertThat(scrape.get("metrics_path").asText()).isEqualTo("/actuator/prometheus");
		assertThat(scrape.at("/static_configs/0/targets/0").asText()).endsWith(":8081");
		JsonNode source = YAML.readTree(FOLDER.resolve("grafana/datasource.yml").toFile()).at("/datasources/0");
		assertThat(source.get("url").asText()).isEqualTo("http://prometheus:9090");
		JsonNode provider = YAML.readTree(FOLDER.resolve("grafana/dashboards.yml").toFile()).at("/providers/0");
		assertThat(compose().at("/services/grafana/volumes").toString())
			.contains(":" + provider.at("/options/path").asText() + "/");
	}

}
