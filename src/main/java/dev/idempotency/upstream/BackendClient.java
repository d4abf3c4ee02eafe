package dev.idempotency.upstream;

import java.util.function.Consumer;

import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.util.context.ContextView;

/**
 * Prepares the HTTP client that talks to backends. It sends a request once: Reactor Netty
 * would otherwise send it again by itself when a pooled connection breaks, and nobody
 * could tell whether the first one had arrived. And it reports how far each attempt has
 * come, since the head of a request is on the wire before anybody asks for its body.
 *
 * @since 0.1.0
 */
public final class BackendClient {

	private BackendClient() {
	}

	/**
	 * A client like this one, but fit for requests that must not be sent twice.
	 * @param client as Spring Cloud Gateway or the application configured it
	 * @return the client to use
	 */
	public static HttpClient prepared(HttpClient client) {
		return client.disableRetry(true).doOnChannelInit((observer, channel, address) -> {
			InformationalResponses.dropFrom(channel);
			SurplusBytes.closeOn(channel);
		}).mapConnect(BackendClient::reporting).doOnRequest((request, connection) -> {
			tell(request.currentContextView(), Sending::begin);
			RefusedStreams.reportFrom(connection.channel());
		});
	}

	private static Mono<? extends Connection> reporting(Mono<? extends Connection> connection) {
		return Mono.deferContextual(view -> {
			tell(view, Sending::connecting);
			return connection;
		});
	}

	/** Requests that belong to no attempt have nobody to be told. */
	private static void tell(ContextView view, Consumer<Sending> event) {
		view.<Sending>getOrEmpty(Sending.class).ifPresent(event);
	}

}
