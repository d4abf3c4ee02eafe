package dev.idempotency.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;

import static org.assertj.core.api.Assertions.assertThat;

class RequestTargetIT {

	private static final HttpServer SERVER = HttpServer.create().host("127.0.0.1").port(0);

	private final WebHttpHandlerBuilder application = WebHttpHandlerBuilder.webHandler(RequestTargetIT::tell);

	private DisposableServer server = SERVER.bindNow();

	@AfterEach
	void stop() {
		this.server.disposeNow();
	}

	@Test
	void theRequestLineCountsWhateverFiltersMadeOfTheQuery() throws IOException {
		start(SERVER, this.application.filter(rewriting()));
		assertThat(ask("/a%7E/b?x=%61&y", "Host: One.Example:80")).isEqualTo("one.example /a%7E/b x=%61&y");
	}

	@Test
	void aTargetInAbsoluteFormHasItsPathAndQuery() throws IOException {
		start(SERVER, this.application);
		assertThat(ask("http://one.example/a?x=1", "Host: one.example")).endsWith(" /a x=1");
		assertThat(ask("http://one.example?x=/1", "Host: one.example")).endsWith(" / x=/1");
	}

	@Test
	void aForwardedHostIsNotTrustedByItself() throws IOException {
		start(SERVER, this.application);
		assertThat(ask("/a", "Host: one.example", "X-Forwarded-Host: two.example", "Forwarded: host=three.example"))
			.startsWith("one.example ");
	}

	@Test
	void aServerThatTrustsItsProxiesShowsTheForwardedHostAndPrefix() throws IOException {
		start(SERVER.forwarded(true), this.application.filter(rewriting()));
		assertThat(ask("/a?x=1", "Host: one.example", "X-Forwarded-Host: two.example", "X-Forwarded-Proto: https",
				"X-Forwarded-Prefix: /shop"))
			.isEqualTo("two.example /shop/a x=1");
	}

	@Test
	void anApplicationThatTrustsItsProxiesShowsTheForwardedHostAndPrefix() throws IOException {
		start(SERVER, this.application.forwardedHeaderTransformer(new ForwardedHeaderTransformer()));
		assertThat(ask("/a?x=1", "Host: one.example", "X-Forwarded-Host: two.example", "X-Forwarded-Port: 8443",
				"X-Forwarded-Prefix: /shop"))
			.isEqualTo("two.example:8443 /shop/a x=1");
	}

	private void start(HttpServer with, WebHttpHandlerBuilder builder) {
		this.server.disposeNow();
		HttpHandler handler = builder.build();
		this.server = with.handle(new ReactorHttpHandlerAdapter(handler)).bindNow();
	}

	/** As filters do it that change a query without a word. */
	private static WebFilter rewriting() {
		return (exchange, chain) -> {
			URI uri = URI.create(exchange.getRequest().getURI() + "&added=1");
			ServerHttpRequest rewritten = exchange.getRequest().mutate().uri(uri).build();
			return chain.filter(exchange.mutate().request(new ServerHttpRequestDecorator(rewritten)).build());
		};
	}

	private static Mono<Void> tell(ServerWebExchange exchange) {
		RequestTarget target = RequestTarget.of(exchange);
		byte[] text = (target.host() + " " + target.path() + " " + target.query()).getBytes(StandardCharsets.UTF_8);
		return exchange.getResponse().writeWith(Mono.just(exchange.getResponse().bufferFactory().wrap(text)));
	}

	private String ask(String target, String... headers) throws IOException {
		try (Socket socket = new Socket("127.0.0.1", this.server.port())) {
			String request = "POST " + target + " HTTP/1.1\r\n" + String.join("\r\n", headers)
					+ "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
			socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
			InputStream in = socket.getInputStream();
			String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
			String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
			return answer.contains("chunked") ? body.split("\r\n")[1] : body;
		}
	}

}
