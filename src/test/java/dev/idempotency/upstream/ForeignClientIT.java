package dev.idempotency.upstream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.netty.http.client.HttpClient;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;

/** A host application brings an HTTP client of its own, which reports nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForeignClientIT {

	private final ScriptedBackend backend = ScriptedBackend.start();

	private final ScriptedBackend refusing = ScriptedBackend.start();

	private final RawBackend notTls = RawBackend
		.doing((socket) -> socket.getOutputStream().write("HTTP/1.1 400\r\n\r\n".getBytes()));

	private RunningGateway gateway;

	@BeforeAll
	void start() {
		this.refusing.refuse();
		String policy = "timeout: 2s, retry: { max-attempts: 2, backoff: 1ms }";
		this.gateway = RunningGateway.start(new Routes().route("f", this.backend.uri(), policy)
			.route("refused", this.refusing.uri(), policy)
			.route("tls", "https://127.0.0.1:" + this.notTls.port(), policy)
			.yaml(), Client.class);
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.backend.close();
		this.refusing.close();
		this.notTls.close();
	}

	@Test
	void answersAreAnswers() {
		assertThat(send("/f/x").status()).isEqualTo(200);
		assertThat(send("/f/x").header("Idempotent-Replayed")).isEqualTo("true");
	}

	@Test
	void anEmptyRequestThatWasSentIsInDoubt() {
		this.backend.on("/f/empty", Reply.reset());
		RawRequest request = RawRequest.of("POST", "/f/empty").header("Content-Length", "0").key("k");
		assertThat(this.gateway.send(request).text()).contains("upstream-failed");
		assertThat(this.gateway.send(request).text()).contains("outcome-unknown");
		assertThat(this.backend.executions("/f/empty")).isEqualTo(1);
	}

	@Test
	void aRefusedConnectionIsKnownByItsKind() {
		assertThat(send("/refused/x").text()).contains("upstream-unavailable");
	}

	@Test
	void aFailureOfNoKnownKindIsInDoubt() {
		assertThat(send("/tls/x").text()).contains("upstream-failed");
		assertThat(this.notTls.connections()).isEqualTo(1);
	}

	private RawResponse send(String path) {
		return this.gateway.send(RawRequest.post(path, "{\"amount\":1}").key(path.replace('/', '-')));
	}

	@Configuration(proxyBeanMethods = false)
	static class Client {

		@Bean
		HttpClient client() {
			return HttpClient.create();
		}

	}

}
