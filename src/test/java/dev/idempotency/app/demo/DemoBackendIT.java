package dev.idempotency.app.demo;

import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;

import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class DemoBackendIT {

	private final DemoBackend backend = new DemoBackend(0);

	@BeforeEach
	void start() {
		this.backend.start();
	}

	@AfterEach
	void stop() {
		this.backend.stop();
	}

	@Test
	void makesACharge() {
		RawResponse answer = post("", "{\"amount\":1299}");
		assertThat(answer.status()).isEqualTo(201);
		assertThat(answer.text()).isEqualTo("{\"id\":\"ch_1\",\"amount\":1299}");
		assertThat(answer.header("Location")).isEqualTo("/demo/charges/ch_1");
		assertThat(get("/demo/charges/ch_1").text()).isEqualTo(answer.text());
	}

	@Test
	void listsTheChargesMade() {
		post("", "{\"amount\":1}");
		post("", "{\"amount\":2}");
		assertThat(get("/demo/charges").text()).isEqualTo(
				"{\"count\":2,\"kept\":1000,\"charges\":[{\"id\":\"ch_1\",\"amount\":1},{\"id\":\"ch_2\",\"amount\":2}]}");
	}

	@Test
	void makesASecondChargeForTheSameKey() {
		RawRequest request = RawRequest.post("/demo/charges", "{\"amount\":1}").key("k");
		RawHttpClient.exchange(this.backend.port(), request);
		RawHttpClient.exchange(this.backend.port(), request);
		assertThat(this.backend.count()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "[]", "null", "{}", "{\"amount\":\"12\"}", "{\"amount\":0}", "{\"amount\":-1}",
			"{\"amount\":1.5}", "{\"amount\":99999999999999999999}", "{\"amount\":1}}", "\u0000" })
	void refusesABodyThatIsNoChargeWithASentence(String body) {
		RawResponse answer = post("", body);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.header("Content-Type")).isEqualTo("application/json");
		assertThat(answer.text()).startsWith("{\"error\":\"The body has to be JSON such as");
		assertThat(this.backend.count()).isZero();
	}

	@Test
	void refusesABodyThatIsTooLarge() {
		RawResponse answer = post("", "{\"amount\":1,\"note\":\"" + "x".repeat(70_000) + "\"}");
		assertThat(answer.status()).isEqualTo(413);
		assertThat(answer.text()).contains("larger than 65536 bytes");
		assertThat(this.backend.count()).isZero();
	}

	@Test
	void refusesAWishItDoesNotKnowWithASentence() {
		RawResponse answer = post("?delay=soon", "{\"amount\":1}");
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text()).isEqualTo("{\"error\":\"delay has to be a duration such as 500ms, 2s or 1m.\"}");
		assertThat(this.backend.count()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "?delay=%zz", "?%zz=1", "?status=%00", "?delay=%ff", "?status=201;500" })
	void refusesAQueryThatIsNone(String query) {
		assertThat(post(query, "{\"amount\":1}").status()).isEqualTo(400);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/demo/charges/%zz", "/demo/charges/", "/demo/charges/a/b", "//", "/demo/charges/%00" })
	void knowsNoOtherPath(String path) {
		assertThat(get(path).status()).isBetween(400, 404);
	}

	@Test
	void chargesBeforeItAnswersWithAnError() {
		RawResponse answer = post("?status=500", "{\"amount\":1}");
		assertThat(answer.status()).isEqualTo(500);
		assertThat(answer.text()).contains("Charge ch_1 was made");
		assertThat(this.backend.count()).isEqualTo(1);
	}

	@Test
	void chargesNothingWhenItSaysNo() {
		assertThat(post("?status=422", "{\"amount\":1}").status()).isEqualTo(422);
		assertThat(post("?status=503", "{\"amount\":1}").status()).isEqualTo(503);
		assertThat(this.backend.count()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 204, 205, 304, 299, 599 })
	void answersWithAnyStatusInGoodForm(int status) {
		RawResponse answer = post("?status=" + status, "{\"amount\":1}");
		assertThat(answer.status()).isEqualTo(status);
		assertThat(answer.clean()).isTrue();
	}

	@Test
	void chargesAndThenResetsTheConnection() {
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> post("?fail=reset", "{\"amount\":1}"))
			.withMessageContaining("reset");
		assertThat(this.backend.count()).isEqualTo(1);
	}

	@Test
	void answersOnlyAfterTheDelay() {
		CompletableFuture<RawResponse> slow = CompletableFuture.supplyAsync(() -> post("?delay=2m", "{\"amount\":1}"));
		await().until(() -> this.backend.count() == 1);
		assertThat(slow).isNotDone();
		assertThat(post("?delay=1ms", "{\"amount\":1}").status()).isEqualTo(201);
	}

	@Test
	void saysWhatIsThereAndHow() {
		RawResponse other = get("/");
		assertThat(other.status()).isEqualTo(404);
		assertThat(other.text()).isEqualTo("{\"error\":\"There is only /demo/charges here.\"}");
		RawResponse put = RawHttpClient.exchange(this.backend.port(), RawRequest.of("PUT", "/demo/charges"));
		assertThat(put.status()).isEqualTo(405);
		assertThat(put.header("Allow")).isEqualTo("GET, HEAD, POST");
	}

	private RawResponse post(String query, String body) {
		return RawHttpClient.exchange(this.backend.port(), RawRequest.post("/demo/charges" + query, body));
	}

	private RawResponse get(String path) {
		return RawHttpClient.exchange(this.backend.port(), RawRequest.of("GET", path));
	}

}
