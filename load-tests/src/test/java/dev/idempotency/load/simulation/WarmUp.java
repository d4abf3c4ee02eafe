package dev.idempotency.load.simulation;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

import dev.idempotency.load.rig.GatewayProcess;

/**
 * The first requests of a gateway, one after the other. A Java process that has just been
 * started may be slower than a call of the store may take, and then refuses; that is
 * right, but not what simulations are about.
 */
final class WarmUp {

	private static final int REQUESTS = 500;

	private static final int CREATED = 201;

	private WarmUp() {
	}

	/**
	 * Sends them.
	 * @throws IllegalStateException if the last of them is not answered well
	 */
	static void of(GatewayProcess gateway) {
		HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
		int status = 0;
		for (int i = 0; i < REQUESTS; i++) {
			status = send(client,
					HttpRequest.newBuilder(URI.create(gateway.uri() + "/warm-up"))
						.header("Idempotency-Key", "warm-up-" + i)
						.POST(BodyPublishers.ofString("{}"))
						.build());
		}
		if (status != CREATED) {
			throw new IllegalStateException("the last request of the warm-up got " + status + ":\n" + gateway.log());
		}
	}

	private static int send(HttpClient client, HttpRequest request) {
		try {
			return client.send(request, BodyHandlers.discarding()).statusCode();
		}
		catch (IOException ex) {
			throw new IllegalStateException("no answer in the warm-up", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted", ex);
		}
	}

}
