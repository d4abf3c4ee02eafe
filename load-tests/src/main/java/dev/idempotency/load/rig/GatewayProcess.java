package dev.idempotency.load.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A gateway in a process of its own. */
public final class GatewayProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final Program program;

	private final int port;

	private GatewayProcess(Program program, int port) {
		this.program = program;
		this.port = port;
	}

	/** Starts the ready gateway as shipped and waits until it serves. */
	public static GatewayProcess ready(String configuration) {
		return start(configuration, List.of("-jar", GatewayJar.find().toString()));
	}

	/**
	 * Starts any gateway and waits until it serves.
	 * @param configuration the content of its routes file
	 * @param arguments what the Java runtime needs to know to run it
	 */
	public static GatewayProcess start(String configuration, List<String> arguments) {
		Path folder = Program.folder("gateway");
		Path file = folder.resolve("routes.yml");
		try {
			Files.writeString(file, configuration);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		int port = Ports.free();
		List<String> command = new ArrayList<>(List.of(java()));
		command.addAll(arguments);
		command.addAll(List.of("--server.port=" + port, "--management.server.port=" + Ports.free()));
		GatewayProcess gateway = new GatewayProcess(
				Program.start(folder, Map.of("GATEWAY_ROUTES", file.toString()), command), port);
		Await.until("the gateway serves", PATIENCE, gateway::serves);
		return gateway;
	}

	private boolean serves() {
		this.program.requireAlive();
		try {
			HttpURLConnection connection = (HttpURLConnection) URI.create(uri() + "/is-anybody-there")
				.toURL()
				.openConnection();
			return connection.getResponseCode() == HttpURLConnection.HTTP_NOT_FOUND;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Where it listens, on the loopback interface. */
	public int port() {
		return this.port;
	}

	/** For instance {@code http://127.0.0.1:40123}. */
	public String uri() {
		return "http://127.0.0.1:" + this.port;
	}

	/** The process. */
	public ProcessHandle handle() {
		return this.program.handle();
	}

	/** What it has said so far. */
	public String log() {
		return this.program.log();
	}

	@Override
	public void close() {
		this.program.close();
	}

	private static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

}
