package dev.idempotency.app;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;

class ReadyGatewayIT {

	@TempDir
	static Path folder;

	private static ConfigurableApplicationContext gateway;

	private static WebTestClient management;

	private static WebTestClient client;

	@BeforeAll
	static void start() throws Exception {
		Path routes = Files.writeString(folder.resolve("routes.yml"), """
				spring.cloud.gateway.server.webflux.routes:
				  - id: teapot
				    uri: no://op
				    predicates: [ "Path=/teapot" ]
				    filters: [ "RedirectTo=302, https://example.org/" ]
				""");
		SpringApplication application = new SpringApplication(IdempotencyGatewayApplication.class);
		gateway = IdempotencyGatewayApplication.configured(application, RoutesFiles.namedBy(routes.toString()))
			.run("--server.port=0", "--management.server.port=0");
		client = clientFor("local.server.port");
		management = clientFor("local.management.port");
	}

	@AfterAll
	static void stop() {
		gateway.close();
	}

	@Test
	void servesTheRoutesOfTheFile() {
		client.get().uri("/teapot").exchange().expectStatus().isFound().expectBody();
	}

	@Test
	void isWellWithNothingElseInstalled() {
		for (String path : new String[] { "/actuator/health", "/actuator/health/liveness",
				"/actuator/health/readiness" }) {
			management.get().uri(path).exchange().expectStatus().isOk().expectBody();
		}
	}

	@Test
	void offersMetersAndItsVersionToOperators() {
		management.get().uri("/actuator/prometheus").exchange().expectStatus().isOk().expectBody();
		management.get()
			.uri("/actuator/info")
			.exchange()
			.expectBody()
			.jsonPath("$.build.artifact")
			.isEqualTo("idempotency-gateway");
	}

	@Test
	void letsOperatorsReadItsRoutesButNotChangeThem() {
		management.get().uri("/actuator/gateway/routes/teapot").exchange().expectStatus().isOk().expectBody();
		management.delete()
			.uri("/actuator/gateway/routes/teapot")
			.exchange()
			.expectStatus()
			.is4xxClientError()
			.expectBody();
		management.post().uri("/actuator/gateway/refresh").exchange().expectStatus().is4xxClientError().expectBody();
	}

	@Test
	void keepsManagementOffTheClientsPort() {
		client.get().uri("/actuator/health").exchange().expectStatus().isNotFound().expectBody();
	}

	private static WebTestClient clientFor(String port) {
		return WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + gateway.getEnvironment().getProperty(port))
			.build();
	}

}
