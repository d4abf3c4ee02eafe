package dev.idempotency.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.example.host.HostApplication;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A gateway in this process, on a port of its own: a host application with the plugin on
 * its class path, and nothing configured but what the test says.
 */
public final class RunningGateway implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private RunningGateway(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Starts one.
	 * @param yaml its whole configuration
	 * @param more configuration classes of the host's own
	 */
	public static RunningGateway start(String yaml, Class<?>... more) {
		List<Class<?>> sources = new ArrayList<>(List.of(more));
		sources.add(HostApplication.class);
		SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
		application.setRegisterShutdownHook(false);
		// Tests have all that is optional on their class path, and Boot wants an address
		// for a driver that is there.
		application.setDefaultProperties(Map.of("spring.r2dbc.url", "r2dbc:postgresql://nobody@localhost/none"));
		return new RunningGateway(application.run("--spring.config.location=file:" + file(yaml), "--server.port=0",
				"--server.address=127.0.0.1", "--spring.main.banner-mode=off", "--management.server.port=-1"));
	}

	/** The port it listens on. */
	public int port() {
		return Integer.parseInt(this.context.getEnvironment().getRequiredProperty("local.server.port"));
	}

	/** One request on a connection of its own, and its answer. */
	public RawResponse send(RawRequest request) {
		return RawHttpClient.exchange(port(), request);
	}

	/** A connection that stays. */
	public RawHttpClient connect() {
		return RawHttpClient.connect(port());
	}

	/** One of its beans. */
	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	/** The application. */
	public ConfigurableApplicationContext context() {
		return this.context;
	}

	@Override
	public void close() {
		this.context.close();
	}

	private static Path file(String yaml) {
		try {
			Path file = Files.createTempFile("gateway", ".yml");
			file.toFile().deleteOnExit();
			return Files.writeString(file, yaml);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
