package dev.idempotency.app.demo;

import dev.idempotency.testing.ScriptedBackend;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class DemoBackendConfigurationIT {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(DemoBackendConfiguration.class);

	@Test
	void startsOnlyWhereItIsAskedFor() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(DemoBackend.class));
		this.runner.withPropertyValues("demo.backend.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(DemoBackend.class));
		this.runner.withPropertyValues("demo.backend.enabled=true", "demo.backend.port=0")
			.run((context) -> assertThat(context.getBean(DemoBackend.class).isRunning()).isTrue());
	}

	@Test
	void refusesAPortThatIsNone() {
		this.runner.withPropertyValues("demo.backend.enabled=true", "demo.backend.port=70000")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("demo.backend.port"));
	}

	@Test
	void namesTheSettingWhenItsPortIsTaken() {
		try (ScriptedBackend other = ScriptedBackend.start()) {
			this.runner.withPropertyValues("demo.backend.enabled=true", "demo.backend.port=" + other.port())
				.run((context) -> assertThat(context).getFailure()
					.cause()
					.isInstanceOf(InvalidConfigurationPropertyValueException.class)
					.hasMessageContaining("demo.backend.port"));
		}
	}

}
