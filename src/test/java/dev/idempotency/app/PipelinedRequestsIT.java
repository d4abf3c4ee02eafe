package dev.idempotency.app;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;

import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that are sent without waiting for answers, on real connections. */
class PipelinedRequestsIT {

	private static final Queue<String> begun = new ConcurrentLinkedQueue<>();

	private static DisposableServer server;

	/** Answers with the path and the body; the path says after how many milliseconds. */
	@BeforeAll
	static void start() {
		server = HttpServer.create()
			.host("127.0.0.1")
			.port(0)
			.protocol(HttpProtocol.HTTP11, HttpProtocol.H2C)
			.doOnChannelInit((observer, channel, address) -> {
				OneRequestAtATime.on(channel);
				channel.pipeline().addFirst(new LateNotice());
			})
			.handle((request, response) -> {
				begun.add(request.uri());
				return request.receive()
					.aggregate()
					.asString()
					.defaultIfEmpty("")
					.delayElement(Duration.ofMillis(Long.parseLong(request.uri().split("/")[1])))
					.flatMap((body) -> response.sendString(Mono.just(request.uri() + " " + body)).then());
			})
			.bindNow();
	}

	@AfterAll
	static void stop() {
		server.disposeNow();
	}

	@Test
	void areAnsweredInTheirOrder() {
		try (RawHttpClient client = RawHttpClient.connect(server.port())) {
			client.send(text(RawRequest.post("/100/a", "1")) + text(RawRequest.post("/0/b", "2"))
					+ text(RawRequest.post("/10/c", "3")));
			assertThat(List.of(client.read().text(), client.read().text(), client.read().text()))
				.containsExactly("/100/a 1", "/0/b 2", "/10/c 3");
		}
	}

	@Test
	void areAnsweredThoughTheLastOneEndsTheConnection() {
		try (RawHttpClient client = RawHttpClient.connect(server.port())) {
			client.send(text(RawRequest.post("/50/a", "1"))
					+ text(RawRequest.post("/0/b", "2").header("Connection", "close")));
			assertThat(client.read().text()).isEqualTo("/50/a 1");
			RawResponse last = client.read();
			assertThat(last.text()).isEqualTo("/0/b 2");
			assertThat(client.ended()).isTrue();
		}
	}

	@Test
	void areForgottenWhereTheFirstOneEndsTheConnection() {
		try (RawHttpClient client = RawHttpClient.connect(server.port())) {
			client.send(text(RawRequest.post("/50/close", "1").header("Connection", "close"))
					+ text(RawRequest.post("/0/forgotten", "2")));
			assertThat(client.read().text()).isEqualTo("/50/close 1");
			assertThat(client.ended()).isTrue();
		}
		assertThat(begun).doesNotContain("/0/forgotten");
	}

	@Test
	void mayBeLargeAndComeInPieces() {
		String large = "x".repeat(300_000);
		String all = text(RawRequest.post("/20/a", large)) + text(RawRequest.post("/0/b", large))
				+ text(RawRequest.post("/0/c", "3"));
		try (RawHttpClient client = RawHttpClient.connect(server.port())) {
			for (int at = 0; at < all.length(); at += 70_000) {
				client.send(all.substring(at, Math.min(all.length(), at + 70_000)));
			}
			assertThat(client.read().text()).isEqualTo("/20/a " + large);
			assertThat(client.read().text()).isEqualTo("/0/b " + large);
			assertThat(client.read().text()).isEqualTo("/0/c 3");
		}
	}

	@Test
	void mayAskBeforeTheySendTheirBodies() {
		try (RawHttpClient client = RawHttpClient.connect(server.port())) {
			client.send(text(RawRequest.post("/20/a", "1")) + text(
					RawRequest.of("POST", "/0/b").header("Expect", "100-continue").header("Content-Length", "1")));
			assertThat(client.read().text()).isEqualTo("/20/a 1");
			client.send("2");
			RawResponse second = client.read();
			assertThat(second.interim()).containsExactly(100);
			assertThat(second.text()).isEqualTo("/0/b 2");
			client.send(RawRequest.post("/0/c", "3"));
			assertThat(client.read().text()).isEqualTo("/0/c 3");
		}
	}

	@Test
	void aConnectionServesOneRequestAfterTheOther() {
		try (RawHttpClient client = RawHttpClient.connect(server.port())) {
			for (int i = 0; i < 500; i++) {
				client.send(RawRequest.post("/0/" + i, "x"));
				assertThat(client.read().text()).isEqualTo("/0/" + i + " x");
			}
		}
	}

	@Test
	void manyAtOnceAreAllAnswered() {
		StringBuilder all = new StringBuilder();
		for (int i = 0; i < 50; i++) {
			all.append(text(RawRequest.post("/0/" + i, "x")));
		}
		try (RawHttpClient client = RawHttpClient.connect(server.port())) {
			client.send(all.toString());
			for (int i = 0; i < 50; i++) {
				assertThat(client.read().text()).isEqualTo("/0/" + i + " x");
			}
		}
	}

	@Test
	void streamsOfHttp2DoNotWaitForOneAnother() {
		HttpClient client = client(HttpProtocol.H2C);
		List<String> answers = Flux.just("/400/a", "/0/b", "/0/c")
			.flatMap((path) -> client.post()
				.uri(path)
				.send(ByteBufFlux.fromString(Mono.just("x")))
				.responseContent()
				.aggregate()
				.asString())
			.collectList()
			.block(Duration.ofSeconds(10));
		assertThat(answers).containsExactlyInAnyOrder("/400/a x", "/0/b x", "/0/c x").last().isEqualTo("/400/a x");
	}

	@Test
	void aConnectionThatIsUpgradedToHttp2IsServed() {
		HttpClient client = client(HttpProtocol.H2C, HttpProtocol.HTTP11);
		List<String> answers = Flux.just("/20/a", "/0/b", "/0/c")
			.concatMap((path) -> client.get()
				.uri(path)
				.responseSingle((head, body) -> body.asString().map((text) -> head.version() + " " + text)))
			.collectList()
			.block(Duration.ofSeconds(10));
		assertThat(answers).containsExactly("HTTP/2.0 /20/a ", "HTTP/2.0 /0/b ", "HTTP/2.0 /0/c ");
	}

	/** Tells after a while only that an answer was written, as happens under load. */
	private static final class LateNotice extends ChannelOutboundHandlerAdapter {

		@Override
		public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
			context.write(message)
				.addListener((written) -> context.executor()
					.schedule(() -> written.isSuccess() ? promise.trySuccess() : promise.tryFailure(written.cause()), 5,
							TimeUnit.MILLISECONDS));
		}

	}

	private static HttpClient client(HttpProtocol... protocols) {
		return HttpClient.create().protocol(protocols).baseUrl("http://127.0.0.1:" + server.port());
	}

	private static String text(RawRequest request) {
		return new String(request.bytes(), java.nio.charset.StandardCharsets.ISO_8859_1);
	}

}
