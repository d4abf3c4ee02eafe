package dev.idempotency.upstream;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Answers that are passed on while they come. */
@ExtendWith(NettyLeaks.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StreamingIT {

	private static final int HUGE = 64 << 20;

	private final ScriptedBackend backend = ScriptedBackend.start();

	private final RawBackend endless = RawBackend.doing((socket) -> {
		RawBackend.readRequest(socket.getInputStream());
		socket.getOutputStream()
			.write(("HTTP/1.1 200 OK\r\nContent-Length: " + HUGE + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
		for (int i = 0; i < HUGE >> 16; i++) {
			socket.getOutputStream().write(new byte[1 << 16]);
			this.written += 1 << 16;
		}
	});

	private volatile long written;

	private RunningGateway gateway;

	@BeforeAll
	void start() {
		this.gateway = RunningGateway.start(new Routes().route("s", this.backend.uri(), "timeout: 10s")
			.route("gap", this.backend.uri(), "timeout: 300ms, late-answer: 300ms")
			.route("huge", "http://127.0.0.1:" + this.endless.port(), "timeout: 10s")
			.yaml());
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.backend.close();
		this.endless.close();
	}

	@Test
	void eventsComeAsTheyAreSent() {
		CountDownLatch second = new CountDownLatch(1);
		this.backend.on("/s/events",
				(request) -> Reply.of(200)
					.header("Content-Type", "text/event-stream")
					.body("data: 1\n\ndata: 2\n\n")
					.chunked()
					.pieces(9, second));
		try (RawHttpClient client = this.gateway.connect()) {
			client.send(post("/s/events"));
			String seen = new String(client.readUntil("data: 1\n\n"), StandardCharsets.UTF_8);
			assertThat(seen).contains("text/event-stream").doesNotContain("data: 2");
			second.countDown();
			client.readUntil("0\r\n\r\n");
		}
		assertThat(send("/s/events").text()).contains("replay-unavailable", "\"applied\"");
		state("s").awaitRest();
	}

	@Test
	void aLargeAnswerComesWholeAndLeavesATombstone() {
		byte[] body = new byte[3_000_000];
		java.util.Arrays.fill(body, (byte) 'x');
		this.backend.on("/s/large", Reply.of(201).body(body));
		RawResponse answer = send("/s/large");
		assertThat(answer.clean()).isTrue();
		assertThat(answer.body()).isEqualTo(body);
		assertThat(send("/s/large").text()).contains("replay-unavailable");
		assertThat(this.backend.executions("/s/large")).isEqualTo(1);
		state("s").awaitRest();
	}

	@Test
	void aTruncatedStreamIsSeenAsSuchAndUnknown() {
		for (Reply reply : new Reply[] { Reply.of(201).body(new byte[3_000_000]).cutAfter(2_000_000),
				Reply.of(201).body(new byte[3_000_000]).chunked().cutAfter(2_000_000),
				Reply.of(201).body(new byte[3_000_000]).resetAfter(2_000_000) }) {
			String path = "/s/cut" + reply.hashCode();
			this.backend.on(path, reply);
			assertThat(send(path).clean()).isFalse();
			assertThat(onceSettled(path).text()).contains("outcome-unknown");
		}
		state("s").awaitRest();
	}

	@Test
	void aClientThatLeavesDoesNotStopTheBackend() {
		CountDownLatch rest = new CountDownLatch(1);
		this.backend.on("/s/left",
				Reply.of(201)
					.header("Content-Type", "application/x-ndjson")
					.body("{}\n{}\n")
					.chunked()
					.pieces(3, rest));
		try (RawHttpClient client = this.gateway.connect()) {
			client.send(post("/s/left")).readUntil("{}\n");
			client.reset();
		}
		assertThat(send("/s/left").text()).contains("in-progress");
		rest.countDown();
		assertThat(onceSettled("/s/left").text()).contains("replay-unavailable", "\"applied\"");
		state("s").awaitRest();
	}

	@Test
	void aPauseLongerThanTheTimeoutBreaksTheStream() {
		this.backend.on("/gap/a",
				Reply.of(200)
					.header("Content-Type", "text/event-stream")
					.body("data: 1\n\ndata: 2\n\n")
					.chunked()
					.pieces(9, new CountDownLatch(1)));
		assertThat(send("/gap/a").clean()).isFalse();
		assertThat(onceSettled("/gap/a").text()).contains("outcome-unknown");
		state("gap").awaitRest();
	}

	@Test
	void pausesShorterThanTheTimeoutDoNot() {
		this.backend.on("/gap/b",
				Reply.of(200)
					.header("Content-Type", "text/event-stream")
					.body("data: 1\n\n".repeat(8))
					.chunked()
					.drip(9, Duration.ofMillis(100)));
		RawResponse answer = send("/gap/b");
		assertThat(answer.clean()).as("%s", answer).isTrue();
		assertThat(answer.text()).hasSize(72);
		state("gap").awaitRest();
	}

	@Test
	void aSlowClientSlowsTheBackendDown() {
		try (RawHttpClient client = this.gateway.connect()) {
			client.send(post("/huge/a")).readUntil("\r\n\r\n");
			long before = -1;
			while (before != this.written) {
				before = this.written;
				await().pollDelay(Duration.ofMillis(300)).until(() -> true);
			}
			assertThat(this.written).isLessThan(HUGE / 2);
			client.reset();
		}
		await().untilAsserted(() -> assertThat(this.written).isEqualTo(HUGE));
		assertThat(onceSettled("/huge/a").text()).contains("replay-unavailable");
		state("huge").awaitRest();
	}

	private RouteState state(String route) {
		return new RouteState(this.gateway, route);
	}

	private static RawRequest post(String path) {
		return RawRequest.post(path, "{\"amount\":1}").key(path.replace('/', '-'));
	}

	private RawResponse send(String path) {
		return this.gateway.send(post(path));
	}

	private RawResponse onceSettled(String path) {
		return await().until(() -> send(path), (answer) -> !answer.text().contains("in-progress"));
	}

}
