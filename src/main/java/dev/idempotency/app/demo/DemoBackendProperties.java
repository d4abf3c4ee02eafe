package dev.idempotency.app.demo;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Settings of the bundled demo backend. Bound by hand, because the plugin's settings are
 * published to editors and these are none of them.
 *
 * @param port where it listens, on the loopback interface only
 */
record DemoBackendProperties(@DefaultValue("8082") int port) {

	static final String PREFIX = "demo.backend";

	private static final int HIGHEST_PORT = 65535;

	DemoBackendProperties {
		if (port < 0 || port > HIGHEST_PORT) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + ".port", port,
					"A port lies between 0 and " + HIGHEST_PORT + ".");
		}
	}

}
