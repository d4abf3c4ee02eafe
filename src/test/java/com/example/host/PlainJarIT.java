package com.example.host;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import dev.idempotency.testing.GatewayProcess;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.ScriptedBackend;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The plain jar, as it is published, on the class path of an application without frills.
 */
class PlainJarIT {

	/** What a gateway may have or not have. */
	private static final Pattern OPTIONAL = Pattern.compile(
			"(lettuce|r2dbc|prometheus|opentelemetry|okhttp|okio|kotlin|protobuf|context-propagation|micrometer-tracing|"
					+ "spring-data|spring-security|"
					+ "spring-boot-(data|r2dbc|actuator|health|micrometer|opentelemetry|starter-actuator|starter-opentelemetry|starter-data|starter-r2dbc)|micrometer-registry).*\\.jar");

	@Test
	void isAllThatIsNeededButTheFiltersName() {
		try (ScriptedBackend backend = ScriptedBackend.start()) {
			backend.always(Reply.json(201, "{\"id\":1}"), Reply.json(201, "{\"id\":2}"));
			String yaml = """
					spring.cloud.gateway.server.webflux.routes:
					  - id: pay
					    uri: %s
					    predicates: [ "Path=/pay/**" ]
					    filters:
					      - Idempotency
					""".formatted(backend.uri());
			try (GatewayProcess gateway = GatewayProcess.start(yaml, List.of("-cp", classPath(),
					HostApplication.class.getName(), "--spring.config.location=file:${GATEWAY_ROUTES}"))) {
				gateway.awaitReady();
				RawRequest request = RawRequest.post("/pay", "{}").key("k").header("Authorization", "Bearer a");
				RawResponse fresh = gateway.send(request);
				RawResponse replay = gateway.send(request);
				assertThat(fresh.text()).isEqualTo("{\"id\":1}");
				assertThat(replay.text()).isEqualTo("{\"id\":1}");
				assertThat(replay.headers("Idempotent-Replayed")).containsExactly("true");
				assertThat(backend.executions()).isOne();
			}
		}
	}

	private static String classPath() {
		List<String> entries = new ArrayList<>(
				Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator)));
		entries.removeIf((entry) -> isOurs(entry) || OPTIONAL.matcher(new File(entry).getName()).matches());
		entries.add(System.getProperty("idempotency.jars") + ".jar");
		return String.join(File.pathSeparator, entries);
	}

	/** The compiled classes, which hold the ready gateway too, or a jar of them. */
	private static boolean isOurs(String entry) {
		return new File(entry, "dev/idempotency/core/IdempotencyStore.class").exists()
				|| new File(entry).getName().startsWith("idempotency-gateway");
	}

}
