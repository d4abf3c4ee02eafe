package com.example.host;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RecordId;
import dev.idempotency.gateway.IdempotencyGatewayFilterFactory;
import dev.idempotency.gateway.ProtectedRoutes;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import dev.idempotency.testing.ForwardingStore;
import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/** The plugin in an application that knows nothing of it. */
class HostGatewayIT {

	private static final String ROUTE = """
			backend: %1$s
			spring.cloud.gateway.server.webflux.routes:
			  - id: pay
			    uri: %1$s
			    predicates: [ "Path=/pay/**" ]
			    filters: [ Idempotency ]
			""";

	private static final String SHARED = "idempotency.policies.default.anonymous: share\n";

	private final ScriptedBackend backend = ScriptedBackend.start();

	@AfterEach
	void stop() {
		this.backend.close();
	}

	@Test
	void aNameOnARouteIsEnough() {
		try (RunningGateway gateway = RunningGateway.start(ROUTE.formatted(this.backend.uri()))) {
			RawRequest request = RawRequest.post("/pay/1", "{}").key("k").header("Authorization", "Bearer a");
			assertThat(gateway.send(request).headers("Idempotent-Replayed")).isEmpty();
			assertThat(gateway.send(request).headers("Idempotent-Replayed")).containsExactly("true");
			assertThat(this.backend.executions()).isOne();
			assertThat(gateway.send(RawRequest.post("/pay/1", "{}")).status()).isEqualTo(400);
			assertThat(gateway.send(RawRequest.of("GET", "/pay/1")).status()).isEqualTo(200);
			assertThat(gateway.send(RawRequest.of("GET", "/.well-known/idempotency")).text()).contains("pay");
		}
	}

	@Test
	void aDefaultFilterProtectsEveryRouteOnceThoughARouteNamesItToo() {
		String yaml = """
				spring.cloud.gateway.server.webflux:
				  default-filters: [ Idempotency ]
				  routes:
				    - { id: one, uri: "%1$s", predicates: [ "Path=/one/**" ] }
				    - { id: two, uri: "%1$s", predicates: [ "Path=/two/**" ], filters: [ Idempotency ] }
				""".formatted(this.backend.uri()) + SHARED;
		this.backend.always(Reply.json(201, "{\"id\":1}"));
		try (RunningGateway gateway = RunningGateway.start(yaml)) {
			for (String path : new String[] { "/one/1", "/two/1" }) {
				assertThat(post(gateway, path).text()).isEqualTo("{\"id\":1}");
				RawResponse replay = post(gateway, path);
				assertThat(replay.text()).isEqualTo("{\"id\":1}");
				assertThat(replay.headers("Idempotent-Replayed")).containsExactly("true");
				assertThat(this.backend.executions(path)).isOne();
			}
		}
	}

	@Test
	void routesBuiltInCodeAreProtectedAndKnownByTheirIds() {
		try (RunningGateway gateway = RunningGateway.start("backend: " + this.backend.uri() + "\n" + SHARED,
				InCode.class)) {
			post(gateway, "/named/1");
			post(gateway, "/unnamed/1");
			assertThat(post(gateway, "/named/1").headers("Idempotent-Replayed")).containsExactly("true");
			assertThat(post(gateway, "/unnamed/1").headers("Idempotent-Replayed")).containsExactly("true");
			assertThat(gateway.bean(ProtectedRoutes.class)
				.current()
				.map(ProtectedRoutes.Filter::routeId)
				.collectList()
				.block()).contains("named");
		}
	}

	@Test
	void routesBuiltInCodeWithoutAnIdDoNotShareTheirTroubles() {
		try (ScriptedBackend ill = ScriptedBackend.start();
				RunningGateway gateway = RunningGateway.start(
						"backend: " + this.backend.uri() + "\nill: " + ill.uri() + "\n" + SHARED
								+ "idempotency.policies.default.circuit-breaker: { window: 2, minimum-calls: 2 }\n",
						InCode.class)) {
			ill.always(Reply.of(500));
			for (String key : new String[] { "a", "b", "c" }) {
				gateway.send(RawRequest.post("/ill/1", "{}").key(key));
			}
			assertThat(ill.executions()).isEqualTo(2);
			assertThat(post(gateway, "/unnamed/1").status()).isEqualTo(200);
		}
	}

	@Test
	void aStoreOfTheApplicationsOwnIsUsed() {
		try (RunningGateway gateway = RunningGateway.start(ROUTE.formatted(this.backend.uri()) + SHARED,
				OwnStore.class)) {
			int walked = gateway.bean(OwnStore.Counting.class).claims.get();
			post(gateway, "/pay/1");
			assertThat(post(gateway, "/pay/1").headers("Idempotent-Replayed")).containsExactly("true");
			assertThat(gateway.bean(OwnStore.Counting.class).claims).hasValue(walked + 2);
			assertThat(gateway.context().getBeanProvider(MemoryIdempotencyStore.class).stream()).isEmpty();
		}
	}

	@Test
	void theKillSwitchLetsEverythingThroughUntouchedAndSaysSo() {
		try (RunningGateway gateway = RunningGateway
			.start(ROUTE.formatted(this.backend.uri()) + "idempotency.enabled: false\n")) {
			for (RawRequest request : new RawRequest[] { RawRequest.post("/pay/1", "{}").key("k"),
					RawRequest.post("/pay/1", "{}").key("k"), RawRequest.post("/pay/1", "{}").key("a b"),
					RawRequest.post("/pay/1", "x".repeat(3_000_000)) }) {
				RawResponse answer = gateway.send(request);
				assertThat(answer.status()).isEqualTo(200);
				assertThat(answer.headers("Idempotency-Status")).containsExactly("bypassed");
			}
			assertThat(this.backend.executions()).isEqualTo(4);
			assertThat(gateway.context().getBeanProvider(IdempotencyStore.class).stream()).isEmpty();
		}
	}

	@Test
	void aRefreshKeepsCircuitsAndOperationsInFlight() {
		String yaml = ROUTE.formatted(this.backend.uri()) + """
				idempotency.policies.default:
				  anonymous: share
				  max-in-flight: 1
				  circuit-breaker: { window: 2, minimum-calls: 2 }
				""";
		CountDownLatch gate = new CountDownLatch(1);
		this.backend.on("/pay/slow", Reply.json(201, "{}").after(gate)).on("/pay/ill", Reply.of(500));
		try (RunningGateway gateway = RunningGateway.start(yaml); RawHttpClient first = gateway.connect()) {
			first.send(RawRequest.post("/pay/slow", "{}").key("k"));
			this.backend.awaitExecutions("/pay/slow", 1);
			gateway.context().publishEvent(new RefreshRoutesEvent(this));
			Awaitility.await()
				.during(Duration.ofMillis(200))
				.until(() -> post(gateway, "/pay/other").text().contains("too-busy"));
			assertThat(post(gateway, "/pay/slow").text()).contains("in-progress");
			gate.countDown();
			assertThat(first.read().status()).isEqualTo(201);
			gateway.send(RawRequest.post("/pay/ill", "{}").key("a"));
			gateway.context().publishEvent(new RefreshRoutesEvent(this));
			Awaitility.await()
				.during(Duration.ofMillis(200))
				.until(() -> gateway.send(RawRequest.post("/pay/ill", "{}").key("c"))
					.text()
					.contains("upstream-unavailable"));
			assertThat(this.backend.executions("/pay/ill")).isOne();
		}
	}

	@Test
	void aRefreshWithAnImpossiblePolicyKeepsTheRoutesInUse() {
		try (RunningGateway gateway = RunningGateway.start(ROUTE.formatted(this.backend.uri()) + SHARED)) {
			assertThat(post(gateway, "/pay/1").status()).isEqualTo(200);
			change(gateway, "idempotency.policies.default.ttl=never");
			Awaitility.await()
				.during(Duration.ofMillis(500))
				.until(() -> post(gateway, "/pay/1").headers("Idempotent-Replayed").size() == 1);
			change(gateway, "idempotency.policies.default.ttl=1h", "idempotency.policies.default.key=optional");
			Awaitility.await().until(() -> gateway.send(RawRequest.post("/pay/1", "{}")).status() == 200);
		}
	}

	@Test
	void anApplicationThatIsStoppedAndStartedAgainServesAgain() {
		try (RunningGateway gateway = RunningGateway.start(ROUTE.formatted(this.backend.uri()) + SHARED)) {
			assertThat(post(gateway, "/pay/1").status()).isEqualTo(200);
			gateway.context().stop();
			gateway.context().start();
			assertThat(post(gateway, "/pay/2").status()).isEqualTo(200);
		}
	}

	/** What Spring Cloud says after it has read the configuration anew. */
	private static void change(RunningGateway gateway, String... properties) {
		TestPropertyValues.of(properties).applyTo(gateway.context());
		gateway.context().publishEvent(new EnvironmentChangeEvent(Set.of("idempotency.policies.default.ttl")));
		gateway.context().publishEvent(new RefreshRoutesEvent(gateway));
	}

	private static RawResponse post(RunningGateway gateway, String path) {
		return gateway.send(RawRequest.post(path, "{}").key("k"));
	}

	@Configuration(proxyBeanMethods = false)
	static class InCode {

		@Bean
		RouteLocator routes(RouteLocatorBuilder routes, IdempotencyGatewayFilterFactory idempotency,
				Environment environment) {
			String uri = environment.getRequiredProperty("backend");
			return routes.routes()
				.route("named", (route) -> route.path("/named/**")
					.filters((filters) -> filters.filter(idempotency.apply("named", (config) -> {
					})))
					.uri(uri))
				.route("unnamed", (route) -> route.path("/unnamed/**")
					.filters((filters) -> filters.filter(idempotency.apply((config) -> {
					})))
					.uri(uri))
				.route("ill", (route) -> route.path("/ill/**")
					.filters((filters) -> filters.filter(idempotency.apply((config) -> {
					})))
					.uri(environment.getProperty("ill", uri)))
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnStore {

		@Bean
		Counting store() {
			return new Counting();
		}

		static class Counting extends ForwardingStore {

			final AtomicInteger claims = new AtomicInteger();

			Counting() {
				super(new MemoryIdempotencyStore(1 << 20, System::nanoTime));
			}

			@Override
			public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
				this.claims.incrementAndGet();
				return super.claim(id, claim);
			}

		}

	}

}
