package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyPolicy.CallerSource;
import dev.idempotency.core.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

class WellKnownPageTests {

	private static final String BACKEND = "http://secret.internal/reconcile?k={key}";

	private final WebTestClient client = WebTestClient
		.bindToRouterFunction(new WellKnownPage(() -> Mono.just(List.of(route("refunds"), route("<b>\"&'"))),
				new ProblemWriter(ProblemWriter.DEFAULT_BASE, WellKnownPage.PATH))
			.router())
		.build();

	@Test
	void programsReadTheRulesOfEachRoute() {
		JsonNode page = JsonMapper.shared().readTree(get("application/json"));
		JsonNode route = page.get("routes").get(1);
		assertThat(page.get("routes")).hasSize(2);
		assertThat(route.get("id").asString()).isEqualTo("refunds");
		assertThat(route.get("header").asString()).isEqualTo("Idempotency-Key");
		assertThat(route.get("aliases").get(0).asString()).isEqualTo("X-Key");
		assertThat(route.get("methods").toString()).isEqualTo("[\"PATCH\",\"POST\"]");
		assertThat(route.get("required").asBoolean()).isTrue();
		assertThat(route.get("format").asString()).isEqualTo("uuid");
		assertThat(route.get("maxLength").asInt()).isEqualTo(64);
		assertThat(route.get("syntax").asString()).isEqualTo("lenient");
		assertThat(route.get("scope").toString()).isEqualTo(
				"{\"caller\":[\"principal\",\"header:X-Tenant\"],\"anonymous\":\"reject\",\"namespace\":\"shop\"}");
		assertThat(route.get("fingerprint").toString())
			.isEqualTo("{\"mode\":\"json\",\"headers\":[\"API-Version\"],\"exclude\":[\"/ts\"]}");
		assertThat(route.get("retention").toString()).isEqualTo(
				"{\"ttl\":\"PT36H\",\"ttlSeconds\":129600,\"unknownTtl\":\"PT48H\",\"unknownTtlSeconds\":172800}");
	}

	@Test
	void programsReadAllProblems() {
		JsonNode codes = JsonMapper.shared().readTree(get("application/json")).get("codes");
		assertThat(codes).hasSize(Problem.values().length);
		assertThat(codes.get(0).get("code").asString()).isEqualTo("key-missing");
		assertThat(codes.get(0).get("type").asString()).isEqualTo("urn:idempotency-gateway:problem:key-missing");
		assertThat(codes.get(0).get("status").asInt()).isEqualTo(400);
		assertThat(codes.get(0).get("key").asString()).isNotEmpty();
	}

	@Test
	void peopleFindEachProblemAtItsAnchor() {
		String page = get("text/html,application/xhtml+xml,*/*;q=0.8");
		assertThat(page).startsWith("<!DOCTYPE html>").contains("refunds", "PT36H (129600 s)");
		for (Problem problem : Problem.values()) {
			assertThat(page).contains("id=\"" + problem.code() + "\"");
		}
	}

	@Test
	void whatAnOperatorNamedIsNoMarkup() {
		assertThat(get("text/html")).contains("&lt;b&gt;&quot;&amp;&#39;").doesNotContain("<b>");
		assertThat(JsonMapper.shared().readTree(get("application/json")).get("routes").get(0).get("id").asString())
			.isEqualTo("<b>\"&'");
	}

	@Test
	void nothingBehindTheGatewayIsShown() {
		assertThat(get("application/json") + get("text/html")).doesNotContain("secret.internal")
			.doesNotContain("reconcile");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			application/json                      | application/json
			*/*                                   | application/json
			text/html                             | text/html;charset=UTF-8
			text/*                                | text/html;charset=UTF-8
			text/html;q=0.5, application/json     | application/json
			application/json;q=0.5, text/html     | text/html;charset=UTF-8
			*/*;q=0.1, text/html;q=0              | application/json
			image/png                             | application/json
			""")
	void theAcceptHeaderDecides(String accept, String type) {
		this.client.get()
			.uri(WellKnownPage.PATH)
			.header(HttpHeaders.ACCEPT, accept)
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("Content-Type", type)
			.expectHeader()
			.valueEquals("Vary", "Accept");
	}

	@Test
	void otherMethodsAreLeftToTheRoutes() {
		this.client.post().uri(WellKnownPage.PATH).exchange().expectStatus().isNotFound();
		this.client.head().uri(WellKnownPage.PATH).exchange().expectStatus().isOk();
	}

	private String get(String accept) {
		byte[] body = this.client.get()
			.uri(WellKnownPage.PATH)
			.header(HttpHeaders.ACCEPT, accept)
			.exchange()
			.expectBody()
			.returnResult()
			.getResponseBodyContent();
		return new String(body, StandardCharsets.UTF_8);
	}

	private static DocumentedRoute route(String id) {
		IdempotencyPolicy.KeyRules key = new IdempotencyPolicy.KeyRules("Idempotency-Key", List.of("X-Key"),
				Set.of("POST", "PATCH"), true, IdempotencyPolicy.KeyFormat.UUID, 64,
				IdempotencyPolicy.KeySyntax.LENIENT);
		IdempotencyPolicy.Scope scope = new IdempotencyPolicy.Scope(
				List.of(new CallerSource(CallerSource.Kind.PRINCIPAL, ""),
						new CallerSource(CallerSource.Kind.HEADER, "X-Tenant")),
				false, "shop");
		IdempotencyPolicy.Reconcile reconcile = new IdempotencyPolicy.Reconcile(BACKEND, Set.of(200), Set.of(404),
				Duration.ofSeconds(60), Duration.ofSeconds(5), Map.of());
		return new DocumentedRoute(id, new IdempotencyPolicy("p", IdempotencyPolicy.Preset.STANDARD,
				IdempotencyPolicy.Mode.ENFORCE, key, scope,
				new IdempotencyPolicy.FingerprintRules(true, List.of("API-Version"), List.of("/ts")),
				new IdempotencyPolicy.Retention(Duration.ofHours(36), Duration.ofHours(48), Duration.ofSeconds(15)),
				new IdempotencyPolicy.Waiting(Duration.ZERO, Duration.ofSeconds(30)),
				new IdempotencyPolicy.Limits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60),
						200, 1 << 20, 1 << 20, 1000),
				new IdempotencyPolicy.OutcomeRules(Set.of(503), Set.of(500),
						IdempotencyPolicy.UnknownHandling.RECONCILE, false, Set.of(409), reconcile),
				new IdempotencyPolicy.RetryRules(3, Set.of(503), Duration.ofMillis(100), 2, Duration.ofSeconds(2), 0.5,
						0.2),
				new IdempotencyPolicy.CircuitBreakerRules(true, 100, 50, 0.5, Duration.ofSeconds(10), 5),
				IdempotencyPolicy.NoStore.KEEP, IdempotencyPolicy.StoreFailure.REJECT, IdempotencyPolicy.JobRules.OFF));
	}

}
