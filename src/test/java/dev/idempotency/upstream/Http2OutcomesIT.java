package dev.idempotency.upstream;

import java.util.EnumMap;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.netty.http.HttpProtocol;

import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RunningGateway;

import static org.assertj.core.api.Assertions.assertThat;

/** What HTTP/2 has to say of requests that were not looked at (RFC 9113, section 8.7). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Http2OutcomesIT {

	private final Map<Http2Backend.Act, Http2Backend> backends = new EnumMap<>(Http2Backend.Act.class);

	private RunningGateway gateway;

	@BeforeAll
	void start() throws Exception {
		Routes routes = new Routes();
		for (Http2Backend.Act act : Http2Backend.Act.values()) {
			Http2Backend backend = new Http2Backend(act);
			this.backends.put(act, backend);
			routes.route(act.name(), backend.uri(),
					"timeout: 2s, retry: { max-attempts: 2, backoff: 1ms, max-backoff: 1ms }");
		}
		this.gateway = RunningGateway.start(routes.yaml(), PriorKnowledge.class);
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.backends.values().forEach(Http2Backend::close);
	}

	@ParameterizedTest
	@CsvSource({ "ANSWER, 201, done, 1", "REFUSE_STREAM, 503, not_applied_unreachable, 2",
			"GO_AWAY_BEFORE_IT, 503, not_applied_unreachable, 2", "RESET_STREAM, 502, unknown_broken, 1",
			"GO_AWAY_WITH_IT, 502, unknown_broken, 1" })
	void onlyWhatWasNotLookedAtIsSentAgain(Http2Backend.Act act, int status, String result, int attempts) {
		RawResponse answer = this.gateway.send(RawRequest.post("/" + act + "/x", "{\"a\":1}").key("k"));
		assertThat(answer.status()).as("%s", answer).isEqualTo(status);
		RouteState state = new RouteState(this.gateway, act.name());
		assertThat(state.attempts()).isEqualTo(Map.of(result, attempts));
		assertThat(this.backends.get(act).requests()).isEqualTo(attempts);
		state.awaitRest();
	}

	@Configuration(proxyBeanMethods = false)
	static class PriorKnowledge {

		@Bean
		HttpClientCustomizer clearTextHttp2() {
			return (client) -> client.protocol(HttpProtocol.H2C);
		}

	}

}
