package dev.idempotency.upstream;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ResponseStatusException;

import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;

/** Pools without a free connection, and filters that have their own ideas of a body. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpecialRoutesIT {

	private static final String TWICE = "timeout: 1s, late-answer: 100ms, "
			+ "retry: { max-attempts: 2, backoff: 1ms, max-backoff: 1ms }";

	private static final String CACHING = ", { name: CacheRequestBody, args: { bodyClass: java.lang.String } }";

	private final ScriptedBackend backend = ScriptedBackend.start();

	private final ScriptedBackend crowded = ScriptedBackend.start();

	private final RawBackend notTls = RawBackend
		.doing((socket) -> socket.getOutputStream().write("HTTP/1.1 400\r\n\r\n".getBytes()));

	private RunningGateway gateway;

	@BeforeAll
	void start() {
		String once = "timeout: 5s, retry: { max-attempts: 1 }";
		this.gateway = RunningGateway.start(new Routes().route("pool", this.crowded.uri(), once)
			.route("own-body", this.backend.uri(), TWICE, ", OwnBody")
			.route("reads-body", "https://127.0.0.1:" + this.notTls.port(), TWICE, CACHING)
			.route("reads-body-no-instance", "lb://nobody", TWICE, CACHING)
			.route("fails-before", this.backend.uri(), TWICE, ", Fails")
			.route("refuses", this.backend.uri(), TWICE, ", Refuses")
			.route("marks", this.backend.uri(), TWICE, ", Marks")
			.route("throws-at-once", this.backend.uri(), TWICE, ", Throws")
			.route("gateway-timeout", this.backend.uri(), TWICE, "", "response-timeout: 300")
			.with("spring.cloud.gateway.server.webflux.httpclient.pool: { type: FIXED, max-connections: 1, acquire-timeout: 80 }")
			.yaml(), Filters.class);
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.backend.close();
		this.crowded.close();
		this.notTls.close();
	}

	@Test
	void whoGetsNoConnectionHasDoneNothing() {
		CountDownLatch gate = new CountDownLatch(1);
		this.crowded.on("/pool/first", Reply.of(201).after(gate));
		CompletableFuture<RawResponse> first = later("/pool/first", "1");
		this.crowded.awaitExecutions("/pool/first", 1);
		List<RawResponse> others = Stream.of("2", "3", "4", "5")
			.map((key) -> later("/pool/x", key))
			.toList()
			.stream()
			.map(CompletableFuture::join)
			.toList();
		assertThat(others).allSatisfy((answer) -> assertThat(answer.text())
			.contains("\"code\":\"upstream-unavailable\"", "\"outcome\":\"not-applied\""));
		gate.countDown();
		assertThat(first.join().status()).isEqualTo(201);
		assertThat(this.crowded.executions()).isEqualTo(1);
	}

	@Test
	void aBodyThatAFilterBringsItselfCountsAsSent() {
		this.backend.on("/own-body/x", Reply.reset());
		assertThat(send("/own-body/x").text()).contains("upstream-failed");
		assertThat(this.backend.executions("/own-body/x")).isEqualTo(1);
	}

	@Test
	void aBodyThatAFilterOnlyReadsDoesNot() {
		assertThat(send("/reads-body/x").text()).contains("upstream-unavailable");
		assertThat(new RouteState(this.gateway, "reads-body").attempts())
			.isEqualTo(Map.of("not_applied_unreachable", 2));
		assertThat(send("/reads-body-no-instance/x").text()).contains("upstream-unavailable");
	}

	@Test
	void aFilterThatFailsBeforeRoutingHasDoneNothing() {
		assertThat(send("/fails-before/x").text()).contains("upstream-unavailable");
		assertThat(send("/throws-at-once/x").text()).contains("upstream-unavailable");
		assertThat(this.backend.executions("/fails-before/x")).isZero();
	}

	@Test
	void aFiltersOwnAnswerIsPassedOnOnceAndNotStored() {
		RawResponse answer = send("/refuses/x");
		assertThat(answer.status()).isEqualTo(503);
		assertThat(new RouteState(this.gateway, "refuses").attempts())
			.isEqualTo(Map.of("not_applied_answered_locally", 1));
		assertThat(send("/refuses/x").header("Idempotent-Replayed")).isNull();
	}

	@Test
	void theGatewaysOwnResponseTimeoutIsATimeout() {
		this.backend.on("/gateway-timeout/x", Reply.hang());
		RawResponse answer = send("/gateway-timeout/x");
		assertThat(answer.text()).contains("upstream-timeout");
		assertThat(this.backend.executions("/gateway-timeout/x")).isEqualTo(1);
		assertThat(send("/gateway-timeout/x").text()).contains("outcome-unknown");
	}

	@Test
	void whatFiltersLeaveForTheCommitIsDoneOnceForTheAnswerThatCounts() {
		this.backend.on("/marks/x", Reply.of(503), Reply.of(201));
		RawResponse answer = send("/marks/x");
		assertThat(answer.status()).isEqualTo(201);
		assertThat(answer.headers("X-Marked")).containsExactly("201 CREATED");
		assertThat(answer.headers("Set-Cookie")).containsExactly("marked=1");
		assertThat(send("/marks/x").headers("X-Marked")).containsExactly("201 CREATED");
	}

	private RawResponse send(String path) {
		return this.gateway.send(RawRequest.post(path, "{\"amount\":1}").key("k"));
	}

	private CompletableFuture<RawResponse> later(String path, String key) {
		return CompletableFuture.supplyAsync(() -> this.gateway.send(RawRequest.post(path, "{}").key(key)),
				(task) -> new Thread(task).start());
	}

	@Configuration(proxyBeanMethods = false)
	static class Filters {

		/** Sends a body of its own and never asks for the request's. */
		@Bean
		AbstractGatewayFilterFactory<Object> ownBodyGatewayFilterFactory() {
			return factory("OwnBody", (exchange, chain) -> chain
				.filter(exchange.mutate().request(new ServerHttpRequestDecorator(exchange.getRequest()) {

					@Override
					public Flux<DataBuffer> getBody() {
						return Flux.just(exchange.getResponse().bufferFactory().wrap("{\"amount\":2}".getBytes()));
					}

				}).build()));
		}

		@Bean
		AbstractGatewayFilterFactory<Object> failsGatewayFilterFactory() {
			return factory("Fails", (exchange, chain) -> Mono.error(new IllegalStateException("no token")));
		}

		@Bean
		AbstractGatewayFilterFactory<Object> throwsGatewayFilterFactory() {
			return factory("Throws", (exchange, chain) -> {
				throw new ResponseStatusException(HttpStatus.INTERNAL_SERVER_ERROR);
			});
		}

		@Bean
		AbstractGatewayFilterFactory<Object> marksGatewayFilterFactory() {
			return factory("Marks", (exchange, chain) -> {
				exchange.getResponse().addCookie(ResponseCookie.from("marked", "1").build());
				exchange.getResponse()
					.beforeCommit(() -> Mono.fromRunnable(() -> exchange.getResponse()
						.getHeaders()
						.add("X-Marked", String.valueOf(exchange.getResponse().getStatusCode()))));
				return chain.filter(exchange);
			});
		}

		@Bean
		AbstractGatewayFilterFactory<Object> refusesGatewayFilterFactory() {
			return factory("Refuses", (exchange, chain) -> {
				exchange.getResponse().setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
				return exchange.getResponse().setComplete();
			});
		}

		private static AbstractGatewayFilterFactory<Object> factory(String name, GatewayFilter filter) {
			return new AbstractGatewayFilterFactory<>(Object.class) {

				@Override
				public GatewayFilter apply(Object config) {
					return filter;
				}

				@Override
				public String name() {
					return name;
				}

			};
		}

	}

}
