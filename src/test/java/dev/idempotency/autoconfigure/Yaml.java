package dev.idempotency.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

/** Configuration as operators write it, read by the loader that reads theirs. */
final class Yaml {

	private Yaml() {
	}

	static StandardEnvironment environment(String text) {
		StandardEnvironment environment = new StandardEnvironment();
		try {
			new YamlPropertySourceLoader().load("routes", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
				.forEach(environment.getPropertySources()::addLast);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return environment;
	}

	/** The policy {@code payments} with these fields, in a file of its own. */
	static StandardEnvironment payments(String fields) {
		return environment("idempotency:\n  policies:\n    payments: { " + fields + " }\n");
	}

}
