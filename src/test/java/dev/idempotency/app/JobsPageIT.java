package dev.idempotency.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.idempotency.testing.FreePort;
import dev.idempotency.testing.RawResponse;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the page about jobs promises to a reader who has just started the gateway. */
class JobsPageIT {

	private static ConfigurableApplicationContext gateway;

	@BeforeAll
	static void start() throws Exception {
		gateway = IdempotencyGatewayApplication
			.configured(new SpringApplication(IdempotencyGatewayApplication.class),
					RoutesFiles.namedBy("gateway-routes.yml"))
			.run("--server.port=0", "--management.server.port=0", "--demo.backend.port=" + FreePort.next());
	}

	@AfterAll
	static void stop() {
		gateway.close();
	}

	@Test
	void printsWhatThePageShows() throws Exception {
		String console = Files.readString(Path.of("src/docs/jobs.md")).split("```console\n", 2)[1].split("```", 2)[0];
		List<String> blocks = Arrays.stream(console.split("(?m)^(?=\\$ curl)"))
			.filter((block) -> !block.isBlank())
			.toList();
		assertThat(blocks).hasSize(4);
		CurlCommand first = CurlCommand.parse(blocks.get(0));
		RawResponse accepted = first.run(port());
		String job = String.valueOf(accepted.header("Location")).replaceFirst("^.*/", "");
		assertThat(first.head().get(0)).isEqualTo("HTTP/1.1 " + accepted.status() + " Accepted");
		assertThat(CurlCommand.lines(accepted)).map((line) -> line.replace(job, "JOB"))
			.containsAll(first.head().subList(1, first.head().size()));
		assertThat(shown(accepted, job)).isEqualTo(first.body());
		for (String block : blocks.subList(1, blocks.size())) {
			CurlCommand next = CurlCommand.parse(block.replaceFirst("JOB", job));
			await().atMost(Duration.ofSeconds(10)).until(() -> shown(next.run(port()), job).equals(next.body()));
		}
	}

	private static String shown(RawResponse answer, String job) {
		return answer.text().replace(job, "JOB").replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME");
	}

	private static int port() {
		return Integer.parseInt(gateway.getEnvironment().getRequiredProperty("local.server.port"));
	}

}
