package dev.idempotency.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;

/** The ready gateway in a process of its own, which can be killed. */
public final class GatewayProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final Process process;

	private final Path log;

	private final int port;

	private final int managementPort;

	private GatewayProcess(Process process, Path log, int port, int managementPort) {
		this.process = process;
		this.log = log;
		this.port = port;
		this.managementPort = managementPort;
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
	}

	/** Starts the ready gateway and does not wait for it. */
	public static GatewayProcess start(String routes) {
		return start(routes, List.of("-jar", System.getProperty("idempotency.jars") + "-exec.jar"));
	}

	/**
	 * Starts any gateway that reads {@code GATEWAY_ROUTES}, or whatever of its
	 * configuration is named so.
	 * @param routes its configuration
	 * @param program what a Java runtime needs to know to run it
	 */
	public static GatewayProcess start(String routes, List<String> program) {
		try {
			Path folder = Files.createTempDirectory("gateway-");
			Path file = Files.writeString(folder.resolve("routes.yml"), routes);
			Path log = folder.resolve("log");
			int port = FreePort.next();
			int managementPort = FreePort.next();
			List<String> command = new ArrayList<>(
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
							"-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx256m"));
			command.addAll(program);
			command.addAll(List.of("--server.port=" + port, "--management.server.port=" + managementPort));
			ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
				.redirectErrorStream(true)
				.redirectOutput(log.toFile());
			builder.environment().put("GATEWAY_ROUTES", file.toString());
			return new GatewayProcess(builder.start(), log, port, managementPort);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Waits until it serves. */
	public GatewayProcess awaitReady() {
		Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).until(() -> {
			if (!this.process.isAlive()) {
				throw new IllegalStateException("the gateway ended: " + log());
			}
			return serves();
		});
		return this;
	}

	/** Whether it serves now. */
	public boolean serves() {
		try {
			return send(RawRequest.of("GET", "/.well-known/idempotency")).status() == 200;
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

	/** One request on a connection of its own, and its answer. */
	public RawResponse send(RawRequest request) {
		return RawHttpClient.exchange(this.port, request);
	}

	/** One request to its management port. */
	public RawResponse manage(RawRequest request) {
		return RawHttpClient.exchange(this.managementPort, request);
	}

	/** A connection that stays. */
	public RawHttpClient connect() {
		return RawHttpClient.connect(this.port);
	}

	/** Ends it without a goodbye. */
	public void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	/** Stops all of its threads where they are, as a pause of the machine does. */
	public void freeze() {
		Signal.send("STOP", List.of(this.process.toHandle()));
	}

	/** Lets it go on. */
	public void thaw() {
		Signal.send("CONT", List.of(this.process.toHandle()));
	}

	/** Asks it to end, as an orchestrator does. */
	public void terminate() {
		this.process.destroy();
	}

	/** Waits for its end and gives its exit code. */
	public int awaitExit() {
		try {
			if (!this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
				throw new AssertionError("still running: " + log());
			}
			return this.process.exitValue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

	/** What it has said so far. */
	public String log() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		kill();
	}

}
