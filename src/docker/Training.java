import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Has the Java runtime write its cache for the gateway: starts it with the demo backend,
 * sends it what clients send (new keys, replays, conflicts, refusals, looks at its
 * management), and ends it. Arguments: the extracted jar, and the file to write.
 */
public final class Training {

	private static final int ROUNDS = 300;

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final String ROUTES = """
			spring.cloud.gateway.server.webflux.routes:
			  - id: demo
			    uri: http://localhost:${demo.backend.port}
			    predicates: [ "Path=/demo/**" ]
			    filters: [ "Idempotency=demo" ]
			idempotency.policies.demo: { caller: principal, anonymous: share, retry: { backoff: 1ms, max-backoff: 2ms } }
			demo.backend: { enabled: true, port: %d }
			""";

	private static final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private Training() {
	}

	public static void main(String[] args) throws Exception {
		Path jar = Path.of(args[0]);
		int port = freePort();
		int management = freePort();
		Path routes = Files.writeString(Files.createTempFile("routes", ".yml"), ROUTES.formatted(freePort()));
		ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:AOTCacheOutput=" + args[1], "-jar", jar.toString(), "--server.port=" + port,
				"--management.server.port=" + management, "--spring.profiles.active=container");
		builder.environment().put("GATEWAY_ROUTES", routes.toString());
		Process gateway = builder.inheritIO().start();
		try {
			awaitReady(gateway, management);
			for (int round = 0; round < ROUNDS; round++) {
				serve(port, round);
			}
			for (String path : List.of("prometheus", "idempotency", "health")) {
				send(management, HttpRequest.newBuilder().GET(), "/actuator/" + path);
			}
		}
		finally {
			gateway.destroy();
		}
		if (!gateway.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || !Files.exists(Path.of(args[1]))) {
			throw new IllegalStateException("the gateway ended without a cache");
		}
	}

	private static void serve(int port, int round) throws Exception {
		charge(port, "", "key-" + round, round);
		charge(port, "", "key-" + round, round);
		if (round % 10 == 0) {
			charge(port, "", "key-" + round, round + 1);
			charge(port, "?status=500", "failed-" + round, round);
			charge(port, "?status=503", "unavailable-" + round, round);
			send(port, HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.noBody()), "/demo/charges");
			send(port, HttpRequest.newBuilder().GET(), "/demo/charges");
		}
	}

	private static void charge(int port, String query, String key, int amount) throws Exception {
		send(port,
				HttpRequest.newBuilder()
					.header("Idempotency-Key", key)
					.POST(HttpRequest.BodyPublishers.ofString("{\"amount\":" + amount + "}")),
				"/demo/charges" + query);
	}

	private static int send(int port, HttpRequest.Builder request, String path) throws Exception {
		return client.send(request.uri(URI.create("http://localhost:" + port + path)).build(),
				HttpResponse.BodyHandlers.discarding())
			.statusCode();
	}

	private static void awaitReady(Process gateway, int management) throws Exception {
		Instant end = Instant.now().plus(PATIENCE);
		while (Instant.now().isBefore(end) && gateway.isAlive()) {
			try {
				if (send(management, HttpRequest.newBuilder().GET(), "/actuator/health/readiness") == 200) {
					return;
				}
			}
			catch (IOException ex) {
				// Not listening yet.
			}
			Thread.sleep(200);
		}
		throw new IllegalStateException("the gateway did not become ready");
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}
