package dev.idempotency.testing;

import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What other tests rely on when they say what a backend did. */
class ScriptedBackendIT {

	private final ScriptedBackend backend = ScriptedBackend.start();

	@AfterEach
	void close() {
		this.backend.close();
	}

	@Test
	void repliesInTurnAndThenTheLastForEver() {
		this.backend.on("/pay", Reply.of(503), Reply.json(201, "{\"id\":1}"));
		assertThat(post("/pay").status()).isEqualTo(503);
		assertThat(post("/pay").text()).isEqualTo("{\"id\":1}");
		assertThat(post("/pay").status()).isEqualTo(201);
		assertThat(post("/other").status()).isEqualTo(200);
	}

	@Test
	void countsExecutionsByPathAndKey() {
		post("/a", "k1");
		post("/a", "\"k1\"");
		post("/a", "k2");
		post("/b", "k1");
		assertThat(this.backend.executions()).isEqualTo(4);
		assertThat(this.backend.executions("/a")).isEqualTo(3);
		assertThat(this.backend.executions("/a", "k1")).isEqualTo(2);
	}

	@Test
	void keepsEveryOctetOfARequest() {
		String request = "POST /x?b=2&a=1 HTTP/1.1\r\nHOST:  y \r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
		try (RawHttpClient client = RawHttpClient.connect(this.backend.port())) {
			client.send(request).read();
		}
		Arrival arrival = this.backend.arrivals("/x").get(0);
		assertThat(new String(arrival.raw(), StandardCharsets.ISO_8859_1)).isEqualTo(request);
		assertThat(arrival.text()).isEqualTo("abc");
		assertThat(arrival.target()).isEqualTo("/x?b=2&a=1");
		assertThat(arrival.headers().get(0)).isEqualTo(new HeaderLine("HOST", "y"));
	}

	@Test
	void keepsTheConnectionForTheNextRequest() {
		try (RawHttpClient client = RawHttpClient.connect(this.backend.port())) {
			client.send(RawRequest.post("/1", "{}")).read();
			client.send(RawRequest.post("/2", "{}")).read();
		}
		assertThat(this.backend.connections()).isEqualTo(1);
		assertThat(this.backend.executions()).isEqualTo(2);
	}

	@Test
	void answersOnlyOnceItsGateOpens() throws Exception {
		CountDownLatch gate = new CountDownLatch(1);
		this.backend.always(Reply.of(201).after(gate));
		CompletableFuture<RawResponse> answer = CompletableFuture.supplyAsync(() -> post("/slow"));
		this.backend.awaitExecutions("/slow", 1);
		assertThat(answer).isNotDone();
		gate.countDown();
		assertThat(answer.get(10, TimeUnit.SECONDS).status()).isEqualTo(201);
	}

	@Test
	void sendsChunksThatAStrictClientAccepts() {
		this.backend.always(Reply.json(200, "0123456789").chunked().pieces(3));
		RawResponse answer = post("/");
		assertThat(answer.text()).isEqualTo("0123456789");
		assertThat(answer.clean()).isTrue();
		assertThat(answer.header("content-length")).isNull();
	}

	@Test
	void cutsAnAnswerShortInGoodOrder() {
		this.backend.always(Reply.of(200).body("0123456789").cutAfter(4));
		RawResponse answer = post("/");
		assertThat(answer.text()).isEqualTo("0123");
		assertThat(answer.clean()).isFalse();
	}

	@Test
	void resetsInTheMiddleOfAnAnswer() {
		this.backend.always(Reply.of(200).body("0123456789").chunked().resetAfter(4));
		RawResponse answer = post("/");
		assertThat(answer.text()).isEqualTo("0123");
		assertThat(answer.problems()).singleElement().asString().contains("reset");
	}

	@Test
	void countsARequestThatItResetAfterReading() {
		this.backend.always(Reply.reset());
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> post("/"));
		assertThat(this.backend.executions()).isEqualTo(1);
	}

	@Test
	void doesNotCountARequestWhoseBodyItDidNotRead() {
		this.backend.always(Reply.resetUnread());
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> post("/"));
		assertThat(this.backend.arrivals()).hasSize(1);
		assertThat(this.backend.executions()).isZero();
	}

	@Test
	void closesWithoutAnAnswer() {
		this.backend.always(Reply.closeWithoutAnswer());
		try (RawHttpClient client = RawHttpClient.connect(this.backend.port())) {
			assertThat(client.send(RawRequest.post("/", "{}")).ended()).isTrue();
		}
		assertThat(this.backend.executions()).isEqualTo(1);
	}

	@Test
	void saysAContentLengthThatIsALie() {
		this.backend.always(Reply.of(200).body("abc").contentLength("10").thenClose());
		RawResponse answer = post("/");
		assertThat(answer.header("Content-Length")).isEqualTo("10");
		assertThat(answer.clean()).isFalse();
	}

	@Test
	void sendsInterimAnswersFirst() {
		this.backend.always(Reply.of(201).interim(Reply.of(103).header("Link", "</a>")));
		RawResponse answer = post("/");
		assertThat(answer.status()).isEqualTo(201);
		assertThat(answer.interim()).containsExactly(103);
	}

	@RepeatedTest(20)
	void refusesConnectionsAndServesAgainOnTheSamePort() {
		int port = this.backend.port();
		this.backend.refuse();
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> post("/"))
			.withCauseInstanceOf(ConnectException.class);
		this.backend.accept();
		assertThat(this.backend.port()).isEqualTo(port);
		assertThat(post("/").status()).isEqualTo(200);
	}

	@Test
	void resetsConnectionsBeforeItReads() {
		this.backend.resetConnections();
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> post("/"));
		assertThat(this.backend.arrivals()).isEmpty();
		assertThat(this.backend.connections()).isEqualTo(1);
	}

	@Test
	void keepsWhatCameOfARequestThatWasBrokenOff() {
		try (RawHttpClient client = RawHttpClient.connect(this.backend.port())) {
			client.send("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc");
			client.finishSending();
			assertThat(client.ended()).isTrue();
		}
		assertThat(this.backend.arrivals().get(0).text()).isEqualTo("abc");
		assertThat(this.backend.executions()).isZero();
	}

	private RawResponse post(String path) {
		return RawHttpClient.exchange(this.backend.port(), RawRequest.post(path, "{}"));
	}

	private void post(String path, String key) {
		RawHttpClient.exchange(this.backend.port(), RawRequest.post(path, "{}").key(key));
	}

}
