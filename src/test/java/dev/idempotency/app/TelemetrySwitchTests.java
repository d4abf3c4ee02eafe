package dev.idempotency.app;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

class TelemetrySwitchTests {

	private static final String EXCLUDE = "spring.autoconfigure.exclude";

	private final MockEnvironment environment = new MockEnvironment();

	private void decide() {
		new TelemetrySwitch().onApplicationEvent(new ApplicationEnvironmentPreparedEvent(new DefaultBootstrapContext(),
				new SpringApplication(TelemetrySwitchTests.class), new String[0], this.environment));
	}

	@Test
	void nothingIsTracedOrPushedUnlessSomebodySaysWhereTo() {
		decide();
		assertThat(this.environment.getProperty(EXCLUDE)).contains("MicrometerTracingAutoConfiguration",
				"OpenTelemetryTracingAutoConfiguration", "OpenTelemetrySdkAutoConfiguration",
				"OtlpLoggingAutoConfiguration");
		assertThat(this.environment.getProperty("management.otlp.metrics.export.enabled")).isEqualTo("false");
		assertThat(this.environment.getProperty("logging.expect-correlation-id")).isEqualTo("false");
		assertThat(this.environment.getProperty("spring.reactor.context-propagation")).isNull();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "management.opentelemetry.tracing.export.otlp.endpoint", "management.otlp.tracing.endpoint" })
	void anAddressForTracesTurnsThemOnInTheLogToo(String property) {
		this.environment.setProperty(property, "http://localhost:4318/v1/traces");
		decide();
		assertThat(this.environment.getProperty(EXCLUDE)).doesNotContain("TracingAutoConfiguration")
			.doesNotContain("OpenTelemetrySdk");
		assertThat(this.environment.getProperty("logging.expect-correlation-id")).isEqualTo("true");
		assertThat(this.environment.getProperty("spring.reactor.context-propagation")).isEqualTo("auto");
	}

	@Test
	void anAddressForMetricsTurnsThemOnAlone() {
		this.environment.setProperty("management.otlp.metrics.export.url", "http://localhost:4318/v1/metrics");
		decide();
		assertThat(this.environment.getProperty("management.otlp.metrics.export.enabled")).isEqualTo("true");
		assertThat(this.environment.getProperty(EXCLUDE)).contains("MicrometerTracingAutoConfiguration");
	}

	@Test
	void whatAnOperatorExcludesStaysExcluded() {
		this.environment.setProperty(EXCLUDE + "[0]", "com.example.Unwanted");
		decide();
		assertThat(this.environment.getProperty(EXCLUDE)).startsWith("com.example.Unwanted,");
	}

}
