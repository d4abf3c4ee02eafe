package dev.idempotency.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the page about security says is open has to be what is open. */
class SecurityPageTests {

	private static final String EXPOSED = "management.endpoints.web.exposure.include";

	private static String page() throws IOException {
		return Files.readString(Path.of("SECURITY.md"));
	}

	private static Properties settings() {
		YamlPropertiesFactoryBean reader = new YamlPropertiesFactoryBean();
		reader.setResources(new FileSystemResource("src/main/resources/idempotency-gateway.yml"));
		return reader.getObject();
	}

	static Stream<String> exposed() {
		return Stream.of(settings().getProperty(EXPOSED).split(",")).map(String::trim);
	}

	@ParameterizedTest
	@MethodSource("exposed")
	void namesEachEndpointThatIsExposed(String endpoint) throws IOException {
		assertThat(page().lines().filter((line) -> line.startsWith("| port 8081 |"))).singleElement()
			.asString()
			.contains("`" + endpoint + "`");
	}

	@Test
	void namesTheLimitOfHeadersThatHolds() throws IOException {
		assertThat(new ServerProperties().getMaxHttpRequestHeaderSize().toKilobytes()).isEqualTo(8);
		assertThat(settings()).doesNotContainKey("server.max-http-request-header-size");
		assertThat(page()).contains("a header block is 8 KB");
	}

}
