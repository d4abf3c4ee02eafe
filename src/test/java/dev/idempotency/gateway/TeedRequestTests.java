package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import dev.idempotency.upstream.BodyBudget;

import static org.assertj.core.api.Assertions.assertThat;

class TeedRequestTests {

	private final List<String> told = new ArrayList<>();

	private final Sinks.Many<DataBuffer> body = Sinks.many().unicast().onBackpressureBuffer();

	@Test
	void a_body_of_announced_length_is_whole_with_its_last_octet_whoever_answers_before_its_end() {
		TeedRequest request = teed(MockServerHttpRequest.post("/").contentLength(2).body(this.body.asFlux()));
		Flux<DataBuffer> read = request.getBody().doOnNext((buffer) -> assertThat(this.told).containsExactly("[]"));
		send("[]");
		read.blockFirst();
		request.over();
		assertThat(this.told).containsExactly("[]");
	}

	@Test
	void a_body_without_announced_length_is_whole_with_its_end() {
		TeedRequest request = teed(MockServerHttpRequest.post("/").body(this.body.asFlux()));
		send("[");
		send("]");
		this.body.tryEmitComplete();
		request.getBody().doOnNext((buffer) -> assertThat(this.told).isEmpty()).blockLast();
		request.over();
		assertThat(this.told).containsExactly("[]");
	}

	@Test
	void a_body_of_which_somebody_has_enough_before_its_last_octet_is_unread() {
		TeedRequest request = teed(MockServerHttpRequest.post("/").contentLength(2).body(this.body.asFlux()));
		send("[");
		request.getBody().blockFirst();
		request.over();
		assertThat(this.told).containsExactly("unread");
	}

	private void send(String text) {
		this.body.tryEmitNext(DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.UTF_8)));
	}

	private TeedRequest teed(MockServerHttpRequest request) {
		return new TeedRequest(request, 1024, new BodyBudget(1024).share(), new TeedRequest.Watcher() {

			@Override
			public void whole(byte[] octets) {
				TeedRequestTests.this.told.add(new String(octets, StandardCharsets.UTF_8));
			}

			@Override
			public void tooLarge() {
				TeedRequestTests.this.told.add("too large");
			}

			@Override
			public void unread() {
				TeedRequestTests.this.told.add("unread");
			}

		});
	}

}
