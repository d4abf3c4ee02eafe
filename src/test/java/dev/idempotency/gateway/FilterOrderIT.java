package dev.idempotency.gateway;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.server.WebFilter;

import dev.idempotency.testing.Arrival;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Filters in front of this one run once for each request and have their say about replays
 * and problems too; filters behind it run inside each attempt.
 */
class FilterOrderIT {

	private static final ScriptedBackend backend = ScriptedBackend.start();

	private static final RedisServer redis = RedisServer.start();

	private static RunningGateway gateway;

	@BeforeAll
	static void start() {
		gateway = RunningGateway
			.start("""
					spring.data.redis.port: %2$s
					backend: %1$s
					spring.cloud.gateway.server.webflux:
					  globalcors.cors-configurations.'[/cors/**]': { allowedOrigins: "*", allowedMethods: "*" }
					  routes:
					    - id: limited
					      uri: %1$s
					      predicates: [ "Path=/limited/**" ]
					      filters:
					        - name: RequestRateLimiter
					          args: { redis-rate-limiter.replenishRate: 1, redis-rate-limiter.burstCapacity: 3000, redis-rate-limiter.requestedTokens: 1000 }
					        - Idempotency
					    - id: rewritten
					      uri: %1$s
					      predicates: [ "Path=/v1/**" ]
					      filters: [ "RewritePath=/v1/(?<rest>.*), /api/v1/$\\\\{rest}", StripPrefix=1, Idempotency, PrefixPath=/behind ]
					    - id: headers
					      uri: %1$s
					      predicates: [ "Path=/headers/**" ]
					      filters:
					        - AddResponseHeader=X-Added, front
					        - SetResponseHeader=X-Set, front
					        - RemoveResponseHeader=X-Internal
					        - DedupeResponseHeader=X-Twice
					        - RewriteResponseHeader=X-Token, secret, hidden
					        - SecureHeaders
					        - Idempotency
					        - AddRequestHeader=X-Attempt, one
					        - AddResponseHeader=X-Behind, once
					        - RemoveResponseHeader=X-Never
					    - id: status
					      uri: %1$s
					      predicates: [ "Path=/status/**" ]
					      filters: [ SetStatus=299, Idempotency ]
					    - id: status-behind
					      uri: %1$s
					      predicates: [ "Path=/status-behind/**" ]
					      filters: [ Idempotency, SetStatus=202 ]
					    - id: size
					      uri: %1$s
					      predicates: [ "Path=/size/**" ]
					      filters: [ { name: RequestSize, args: { maxSize: 1KB } }, Idempotency ]
					    - id: size-behind
					      uri: %1$s
					      predicates: [ "Path=/size-behind/**" ]
					      filters: [ Idempotency, { name: RequestSize, args: { maxSize: 1KB } } ]
					    - id: redirect
					      uri: %1$s
					      predicates: [ "Path=/redirect/**" ]
					      filters: [ Idempotency, "RedirectTo=302, https://example.org/" ]
					    - id: plain
					      uri: %1$s
					      predicates: [ "Path=/**" ]
					      filters: [ Idempotency ]
					idempotency.policies.default:
					  anonymous: share
					  retry.backoff: 1ms
					"""
				.formatted(backend.uri(), redis.port()), Host.class);
	}

	@AfterAll
	static void stop() {
		gateway.close();
		redis.close();
		backend.close();
	}

	/** One token comes back each second, a request takes a thousand. */
	private static int remaining(RawResponse answer) {
		return Integer.parseInt(answer.headers("X-RateLimit-Remaining").get(0));
	}

	@Test
	void replaysCountAgainstARateLimitInFront() {
		RawResponse fresh = post("/limited/1");
		RawResponse replay = post("/limited/1");
		assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(remaining(fresh)).isBetween(2000, 2900);
		assertThat(remaining(replay)).isBetween(1000, 1900);
		post("/limited/1");
		RawResponse refused = post("/limited/1");
		assertThat(refused.status()).isEqualTo(429);
		assertThat(refused.headers("Idempotent-Replayed")).isEmpty();
		assertThat(backend.executions("/limited/1")).isOne();
	}

	@Test
	void theBackendGetsThePathThatFiltersOnBothSidesMade() {
		assertThat(post("/v1/pay").status()).isEqualTo(200);
		assertThat(post("/v1/pay").header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(backend.executions("/behind/v1/pay")).isOne();
	}

	@Test
	void aProblemNamesThePathAsTheClientSentIt() {
		assertThat(gateway.send(RawRequest.post("/v1/pay", "{}")).text()).contains("\"instance\":\"/v1/pay\"");
	}

	@Test
	void responseFiltersInFrontWorkOnFreshAnswersReplaysAndProblems() {
		backend.on("/headers/1",
				Reply.json(201, "{}")
					.header("X-Internal", "1")
					.header("X-Set", "backend")
					.header("X-Twice", "a")
					.header("X-Twice", "b")
					.header("X-Token", "secret"));
		RawResponse fresh = post("/headers/1");
		RawResponse replay = post("/headers/1");
		RawResponse reused = gateway.send(RawRequest.post("/headers/1", "[]").key("k"));
		RawResponse missing = gateway.send(RawRequest.post("/headers/1", "{}"));
		assertThat(List.of(fresh.status(), replay.status(), reused.status(), missing.status())).containsExactly(201,
				201, 422, 400);
		for (RawResponse answer : List.of(fresh, replay, reused, missing)) {
			assertThat(answer.headers("X-Added")).containsExactly("front");
			assertThat(answer.headers("X-Set")).containsExactly("front");
			assertThat(answer.headers("X-Internal")).isEmpty();
			assertThat(answer.headers("X-Frame-Options")).containsExactly("DENY");
		}
		for (RawResponse answer : List.of(fresh, replay)) {
			assertThat(answer.headers("X-Twice")).containsExactly("a");
			assertThat(answer.headers("X-Token")).containsExactly("hidden");
		}
	}

	@Test
	void filtersBehindRunInEachAttemptAndNotOnReplays() {
		backend.on("/headers/2", Reply.of(503), Reply.json(201, "{}"));
		RawResponse fresh = post("/headers/2");
		RawResponse replay = post("/headers/2");
		assertThat(backend.arrivals("/headers/2")).hasSize(2)
			.allSatisfy((arrival) -> assertThat(arrival.headers("X-Attempt")).containsExactly("one"));
		assertThat(fresh.headers("X-Behind")).containsExactly("once");
		assertThat(replay.headers("X-Behind")).containsExactly("once");
		RawResponse reused = gateway.send(RawRequest.post("/headers/2", "[]").key("k"));
		assertThat(reused.headers("X-Behind")).isEmpty();
	}

	@Test
	void aStatusSetInFrontHoldsForAllAnswers() {
		assertThat(post("/status/1").status()).isEqualTo(299);
		RawResponse replay = post("/status/1");
		assertThat(replay.status()).isEqualTo(299);
		assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(gateway.send(RawRequest.post("/status/1", "[]").key("k")).status()).isEqualTo(299);
	}

	@Test
	void aStatusSetBehindIsTheBackendsOwn() {
		assertThat(post("/status-behind/1").status()).isEqualTo(202);
		assertThat(post("/status-behind/1").status()).isEqualTo(202);
		assertThat(backend.executions("/status-behind/1")).isOne();
	}

	@Test
	void aSizeLimitInFrontRefusesBeforeAnythingIsClaimed() {
		RawRequest large = RawRequest.post("/size/1", "x".repeat(2000)).key("k");
		assertThat(gateway.send(large).status()).isEqualTo(413);
		assertThat(post("/size/1").headers("Idempotent-Replayed")).isEmpty();
	}

	@Test
	void aRefusalBehindIsPassedOnAndLeavesTheKeyFree() {
		RawRequest large = RawRequest.post("/size-behind/1", "x".repeat(2000)).key("k");
		assertThat(gateway.send(large).status()).isEqualTo(413);
		assertThat(gateway.send(large).headers("Idempotent-Replayed")).isEmpty();
		assertThat(post("/size-behind/1").status()).isEqualTo(200);
		assertThat(backend.executions("/size-behind/1")).isOne();
	}

	@Test
	void anAnswerThatNoBackendGaveIsNotStored() {
		for (int i = 0; i < 2; i++) {
			RawResponse answer = post("/redirect/1");
			assertThat(answer.status()).isEqualTo(302);
			assertThat(answer.header("Location")).isEqualTo("https://example.org/");
			assertThat(answer.headers("Idempotent-Replayed")).isEmpty();
		}
	}

	@Test
	void aBodyModifiedInFrontIsModifiedOnReplaysAndProblemsToo() {
		backend.on("/modified/1", Reply.json(201, "{\"id\":1}"));
		RawResponse fresh = post("/modified/1");
		RawResponse replay = post("/modified/1");
		RawResponse reused = gateway.send(RawRequest.post("/modified/1", "[]").key("k"));
		assertThat(fresh.text()).isEqualTo("{\"id\":1,\"seen\":true}");
		assertThat(replay.text()).isEqualTo(fresh.text());
		assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(replay.headers("Content-Length")).containsExactly(Integer.toString(replay.body().length));
		assertThat(reused.text()).endsWith(",\"seen\":true}");
		assertThat(backend.executions("/modified/1")).isOne();
	}

	@Test
	void aBodyModifiedInFrontIsDecodedByItsContentType() {
		backend.on("/typed/1", Reply.json(201, "{\"id\":1}"));
		assertThat(post("/typed/1").text()).isEqualTo("{\"id\":2}");
		RawResponse replay = post("/typed/1");
		assertThat(replay.text()).isEqualTo("{\"id\":2}");
		assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
	}

	@Test
	void aRequestModifiedInFrontIsWhatIsSentEachTime() {
		backend.on("/requests/1", Reply.of(503), Reply.json(201, "{}"));
		assertThat(post("/requests/1").status()).isEqualTo(201);
		assertThat(post("/requests/1").header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(backend.arrivals("/requests/1")).hasSize(2).extracting(Arrival::text).containsOnly("{}!");
	}

	@Test
	void webFiltersRunForEveryRequestAndMayTouchEveryAnswer() {
		int before = Host.seen.get();
		post("/web/1");
		RawResponse replay = post("/web/1");
		RawResponse missing = gateway.send(RawRequest.post("/web/1", "{}"));
		assertThat(Host.seen.get() - before).isEqualTo(3);
		assertThat(replay.headers("X-Web")).containsExactly("1");
		assertThat(missing.headers("X-Web")).containsExactly("1");
		assertThat(missing.headers("Cache-Control")).containsExactly("no-store");
	}

	@Test
	void originsAreAnsweredForOnReplaysAsOnFreshAnswers() {
		backend.on("/cors/1", Reply.json(201, "{}").header("Access-Control-Expose-Headers", "X-Own"));
		RawRequest request = RawRequest.post("/cors/1", "{}").key("k").header("Origin", "https://a.example");
		gateway.send(request);
		RawResponse replay = gateway.send(request);
		assertThat(replay.headers("Access-Control-Allow-Origin")).containsExactly("*");
		assertThat(replay.header("Access-Control-Expose-Headers")).contains("Idempotent-Replayed", "Location");
	}

	private static RawResponse post(String path) {
		return gateway.send(RawRequest.post(path, "{}").key("k"));
	}

	/** What an application has of its own. */
	@Configuration(proxyBeanMethods = false)
	static class Host {

		static final AtomicInteger seen = new AtomicInteger();

		@Bean
		KeyResolver everybody() {
			return (exchange) -> Mono.just("everybody");
		}

		@Bean
		WebFilter counting() {
			return (exchange, chain) -> {
				seen.incrementAndGet();
				exchange.getResponse().getHeaders().add("X-Web", "1");
				exchange.getResponse().getHeaders().setCacheControl("private");
				return chain.filter(exchange);
			};
		}

		@Bean
		RouteLocator routes(RouteLocatorBuilder routes, IdempotencyGatewayFilterFactory idempotency,
				Environment environment) {
			String uri = environment.getRequiredProperty("backend");
			return routes.routes()
				.route("modified",
						(route) -> route.order(-1)
							.path("/modified/**")
							.filters(
									(filters) -> filters
										.modifyResponseBody(String.class, String.class,
												(exchange, body) -> Mono
													.just(body.replaceFirst("}$", ",\"seen\":true}")))
										.filter(idempotency.apply((config) -> {
										})))
							.uri(uri))
				.route("typed", (route) -> route.order(-1)
					.path("/typed/**")
					.filters((filters) -> filters
						.modifyResponseBody(Map.class, Map.class, (exchange, body) -> Mono.just(Map.of("id", 2)))
						.filter(idempotency.apply("typed", (config) -> config.put("policy", "default"))))
					.uri(uri))
				.route("requests", (route) -> route.order(-1)
					.path("/requests/**")
					.filters((filters) -> filters
						.modifyRequestBody(String.class, String.class, (exchange, body) -> Mono.just(body + "!"))
						.filter(idempotency.apply("requests", (config) -> {
						})))
					.uri(uri))
				.build();
		}

	}

}
