package dev.idempotency.app.demo;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Starts the demo backend where a routes file asks for it, and nowhere else. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("demo.backend.enabled")
@EnableConfigurationProperties(DemoBackendProperties.class)
class DemoBackendConfiguration {

	@Bean
	DemoBackend demoBackend(DemoBackendProperties properties) {
		return new DemoBackend(properties.port());
	}

}
