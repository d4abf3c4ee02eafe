package dev.idempotency.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.idempotency.testing.FreePort;
import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the README promises to a reader who has just started the gateway. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FirstCurlIT {

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

	/** First, as with the reader: the document counts from nothing. */
	@Test
	@Order(1)
	void printsWhatTheReadmeShows() throws Exception {
		List<CurlCommand> commands = Arrays.stream(Files.readString(Path.of("README.md")).split("```"))
			.filter((block) -> block.startsWith("console\n$ curl"))
			.map((block) -> CurlCommand.parse(block.substring("console\n".length())))
			.toList();
		assertThat(commands).hasSize(3);
		for (CurlCommand command : commands) {
			RawResponse answer = command.run(port());
			assertThat(answer.text()).as(command.toString()).isEqualTo(command.body());
			if (command.showsHead()) {
				assertThat(command.head().get(0)).isEqualTo("HTTP/1.1 " + answer.status() + " Created");
				assertThat(CurlCommand.lines(answer)).as(command.toString())
					.map((line) -> line.replaceFirst("(?i)^(date): .*", "$1"))
					.isEqualTo(command.head()
						.stream()
						.skip(1)
						.map((line) -> line.replaceFirst("(?i)^(date): .*", "$1"))
						.toList());
			}
		}
	}

	@Test
	void refusesAKnownKeyWithAnotherAmount() {
		charge("", "reused", 1299);
		int before = charges();
		RawResponse answer = charge("", "reused", 99);
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.text()).contains("\"code\":\"key-reused\"");
		assertThat(charges()).isEqualTo(before);
	}

	@Test
	void sendsADuplicateAwayWhileTheFirstStillRuns() throws Exception {
		int before = charges();
		CompletableFuture<RawResponse> first = CompletableFuture.supplyAsync(() -> charge("?delay=2s", "slow", 1));
		await().until(() -> charges() == before + 1);
		RawResponse second = charge("?delay=2s", "slow", 1);
		assertThat(second.status()).isEqualTo(409);
		assertThat(second.header("Retry-After")).isNotNull();
		assertThat(first.get(10, TimeUnit.SECONDS).status()).isEqualTo(201);
		assertThat(charge("?delay=2s", "slow", 1).header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(charges()).isEqualTo(before + 1);
	}

	@Test
	void replaysAnErrorAfterTheFactAndSaysThatTheOutcomeIsUnknown() {
		int before = charges();
		assertThat(charge("?status=500", "failed", 1).status()).isEqualTo(500);
		RawResponse retry = charge("?status=500", "failed", 1);
		assertThat(retry.status()).isEqualTo(500);
		assertThat(retry.header("Idempotency-Outcome")).isEqualTo("unknown");
		assertThat(charges()).isEqualTo(before + 1);
	}

	@Test
	void holdsAKeyWhoseConnectionWasReset() {
		int before = charges();
		RawResponse first = charge("?fail=reset", "reset", 1);
		assertThat(first.status()).isEqualTo(502);
		assertThat(first.text()).contains("\"code\":\"upstream-failed\"");
		RawResponse retry = charge("?fail=reset", "reset", 1);
		assertThat(retry.status()).isEqualTo(409);
		assertThat(retry.text()).contains("\"code\":\"outcome-unknown\"");
		assertThat(charges()).isEqualTo(before + 1);
	}

	@Test
	void chargesNothingForAServiceThatIsUnavailable() {
		int before = charges();
		assertThat(charge("?status=503", "unavailable", 1).status()).isEqualTo(503);
		assertThat(charge("?status=503", "unavailable", 1).status()).isEqualTo(503);
		assertThat(charges()).isEqualTo(before);
	}

	private static RawResponse charge(String query, String key, int amount) {
		return RawHttpClient.exchange(port(),
				RawRequest.post("/demo/charges" + query, "{\"amount\":" + amount + "}").key(key));
	}

	private static int charges() {
		String list = RawHttpClient.exchange(port(), RawRequest.of("GET", "/demo/charges")).text();
		return Integer.parseInt(list.replaceFirst("^\\{\"count\":(\\d+),.*", "$1"));
	}

	private static int port() {
		return Integer.parseInt(gateway.getEnvironment().getRequiredProperty("local.server.port"));
	}

}
