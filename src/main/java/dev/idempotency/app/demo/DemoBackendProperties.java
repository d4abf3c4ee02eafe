package dev.idempotency.app.demo;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the bundled demo backend.
 *
 * @param enabled whether it is started with the gateway
 * @param port where it listens, on the loopback interface only
 */
@ConfigurationProperties("demo.backend")
record DemoBackendProperties(@DefaultValue("false") boolean enabled, @DefaultValue("8082") int port) {
}
