package dev.idempotency.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** What an operator reads when the start fails. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTests {

	private static final String ROUTE = "spring.cloud.gateway.server.webflux.routes[0].";

	@Test
	void anImpossiblePolicyIsPrintedOnOneLineWithoutAStackTrace(CapturedOutput output) {
		start("--" + ROUTE + "id=pay-route", "--" + ROUTE + "uri=http://localhost",
				"--" + ROUTE + "predicates[0]=Path=/pay", "--" + ROUTE + "filters[0]=Idempotency=payments",
				"--idempotency.policies.payments.unknown=maybe");
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("\tat ");
		assertThat(output.getAll().lines()).anyMatch((line) -> line.startsWith(
				"Route 'pay-route', policy 'payments': field 'unknown' cannot be 'maybe'; accepted: hold, retry, reconcile"));
	}

	@Test
	void anUnknownStoreIsPrintedOnOneLine(CapturedOutput output) {
		start("--idempotency.store=memcached");
		assertThat(output.getAll().lines()).anyMatch((line) -> line
			.startsWith("Setting 'idempotency.store' cannot be 'memcached'; accepted: memory, redis"));
	}

	@Test
	void anUnknownNameIsPrintedOnOneLine(CapturedOutput output) {
		start("--idempotency.stroe=redis");
		assertThat(output.getAll().lines()).anyMatch((line) -> line
			.startsWith("Setting 'idempotency.stroe' is unknown; did you mean 'store'? accepted: enabled, store"));
	}

	private static void start(String... arguments) {
		SpringApplication application = new SpringApplicationBuilder(RouteGuardTests.Guarded.class)
			.web(WebApplicationType.NONE)
			.build();
		assertThatException().isThrownBy(() -> application.run(arguments));
	}

}
