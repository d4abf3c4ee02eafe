package dev.idempotency.app.demo;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Starts the demo backend where a routes file asks for it, and nowhere else. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("demo.backend.enabled")
class DemoBackendConfiguration {

	@Bean
	DemoBackend demoBackend(Environment environment) {
		DemoBackendProperties properties = Binder.get(environment)
			.bindOrCreate(DemoBackendProperties.PREFIX, DemoBackendProperties.class);
		return new DemoBackend(properties.port());
	}

}
