package dev.idempotency.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.idempotency.observability.IdempotencyMeter;
import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.ScriptedBackend;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a person finds who has never seen this gateway before, by the management port
 * alone.
 */
@ExtendWith(OutputCaptureExtension.class)
class OperatorsViewIT {

	private static final Set<IdempotencyMeter> FROM_THE_FIRST_JOB_ON = Set.of(IdempotencyMeter.JOBS,
			IdempotencyMeter.CALLBACKS);

	private static final ScriptedBackend backend = ScriptedBackend.start();

	private static final ObjectMapper json = new ObjectMapper();

	private static final int CLIENTS = Boolean.getBoolean("idempotency.test.full") ? 100_000 : 1_000;

	@TempDir
	static Path folder;

	private static ConfigurableApplicationContext gateway;

	@BeforeAll
	static void start() throws Exception {
		backend.on("/pay/broken", Reply.reset());
		backend.on("/pay/error", Reply.of(500));
		backend.always(Reply.json(201, "{\"id\":1}"));
		Path routes = Files.writeString(folder.resolve("routes.yml"), """
				spring.cloud.gateway.server.webflux.routes:
				  - id: pay
				    uri: %1$s
				    predicates: [ "Path=/pay/**" ]
				    filters: [ "Idempotency=pay" ]
				  - id: watched
				    uri: %1$s
				    predicates: [ "Path=/watched/**" ]
				    filters: [ "Idempotency=watched" ]
				  - id: optional
				    uri: %1$s
				    predicates: [ "Path=/optional/**" ]
				    filters: [ "Idempotency=optional" ]
				  - id: open
				    uri: %1$s
				    predicates: [ "Path=/open/**" ]
				idempotency.policies:
				  pay: { caller: [ "header:X-Tenant" ] }
				  watched: { mode: observe, anonymous: share }
				  optional: { key: optional, caller: [ "header:X-Tenant" ], anonymous: share }
				""".formatted(backend.uri()));
		gateway = IdempotencyGatewayApplication
			.configured(new SpringApplication(IdempotencyGatewayApplication.class),
					RoutesFiles.namedBy(routes.toString()))
			.run("--server.port=0", "--management.server.port=0",
					"--management.endpoint.idempotency.access=unrestricted");
	}

	@AfterAll
	static void stop() {
		gateway.close();
		backend.close();
	}

	@Test
	void readsWhichRoutesAreProtected() {
		JsonNode view = get("/actuator/idempotency");
		assertThat(view.at("/routes/pay/protected").asBoolean()).isTrue();
		assertThat(view.at("/routes/pay/policy").asString()).isEqualTo("pay");
		assertThat(view.at("/routes/watched/protected").asBoolean()).isFalse();
		assertThat(view.at("/routes/watched/mode").asString()).isEqualTo("observe");
		assertThat(view.at("/unprotectedRoutes").toString()).isEqualTo("[\"open\"]");
		assertThat(view.at("/storeServing").asBoolean()).isTrue();
	}

	@Test
	void readsHowManyExecutionsWereSaved() {
		long before = get("/actuator/idempotency").at("/routes/pay/executionsSaved").asLong();
		pay("/pay/saved", "saved");
		pay("/pay/saved", "saved");
		pay("/pay/saved", "saved");
		JsonNode route = get("/actuator/idempotency").at("/routes/pay");
		assertThat(route.at("/executionsSaved").asLong()).isEqualTo(before + 2);
		assertThat(route.at("/requests/executed").asLong()).isPositive();
	}

	@Test
	void findsOutWhatBecameOfAKeyThatAClientNames() {
		pay("/pay/known", "order-17");
		JsonNode found = post("/actuator/idempotencydigest", enquiry("order-17", "/pay/known"));
		assertThat(found.at("/record/state").asString()).isEqualTo("done");
		assertThat(found.at("/record/status").asInt()).isEqualTo(201);
		assertThat(get("/actuator/idempotency/" + found.at("/digest").asString()).at("/state").asString())
			.isEqualTo("done");
		assertThat(post("/actuator/idempotencydigest", enquiry("\\\"order-17\\\"", "/pay/known")).at("/digest"))
			.as("quoted and bare are one key")
			.isEqualTo(found.at("/digest"));
		assertThat(
				post("/actuator/idempotencydigest", enquiry("order-18", "/pay/known")).at("/record/state").asString())
			.isEqualTo("none");
	}

	@Test
	void isToldWhatIsMissingOrWrongInAnEnquiry() {
		assertThat(send("local.management.port",
				RawRequest.post("/actuator/idempotencydigest", "{\"route\":\"pay\",\"key\":\"k\"}"))
			.status()).isEqualTo(400);
		assertThat(post("/actuator/idempotencydigest", enquiry("k", "/pay/x").replace("header:X-Tenant=acme", "acme"))
			.at("/error")
			.asString()).contains("'caller'", "header:X-Tenant=IDENTITY").doesNotContain("acme");
		assertThat(
				post("/actuator/idempotencydigest", enquiry("k", "/pay/x").replace("\"pay\"", "\"gone\"")).at("/error")
					.asString())
			.contains("no protected route");
	}

	@Test
	void findsTheKeysThatAreUnknownAndResolvesThem(CapturedOutput output) {
		assertThat(pay("/pay/broken", "in-doubt").status()).isEqualTo(502);
		JsonNode unknown = get("/actuator/idempotency").at("/unknown/0");
		assertThat(unknown.at("/route").asString()).isEqualTo("pay");
		assertThat(unknown.at("/reason").asString()).isEqualTo("broken");
		String digest = unknown.at("/digest").asString();
		assertThat(get("/actuator/idempotency/" + digest).at("/state").asString()).isEqualTo("unknown");
		assertThat(post("/actuator/idempotency/" + digest, "{\"action\":\"resolve-applied\"}").at("/done").asString())
			.isEqualTo("resolve-applied");
		assertThat(get("/actuator/idempotency").at("/unknown").toString()).doesNotContain(digest);
		assertThat(pay("/pay/broken", "in-doubt").text()).contains("replay-unavailable");
		assertThat(output).contains("the outcome of " + digest + " is unknown (broken)")
			.contains("resolve-applied on " + digest);
	}

	@Test
	void sees_no_key_in_the_log_when_things_go_wrong(CapturedOutput output) {
		pay("/pay/error", "sk-secret-key");
		pay("/pay/error", "sk-secret-key");
		send("local.server.port", request("/pay/error", "sk-secret-key").body("{\"other\":1}"));
		assertThat(output.getAll()).contains("was refused with key-reused")
			.contains("answered from an unknown outcome")
			.doesNotContain("sk-secret-key");
	}

	@Test
	void scrapesTheMetersThatAreDocumented() {
		pay("/pay/metered", "metered");
		send("local.server.port", RawRequest.post("/optional/x", "{}"));
		String scraped = send("local.management.port", RawRequest.of("GET", "/actuator/prometheus")).text();
		Set<String> names = gateway.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map((meter) -> meter.getId().getName())
			.filter((name) -> name.startsWith("idempotency."))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(names).isEqualTo(Arrays.stream(IdempotencyMeter.values())
			.filter((meter) -> !FROM_THE_FIRST_JOB_ON.contains(meter))
			.map(IdempotencyMeter::getName)
			.collect(Collectors.toCollection(TreeSet::new)));
		assertThat(scraped).contains("idempotency_requests_total{result=\"executed\",route=\"pay\"}")
			.contains("idempotency_bypassed_total{result=\"no_key\",route=\"optional\"} 1.0")
			.contains("idempotency_in_flight_oldest_seconds 0.0")
			.contains("idempotency_store_serving{store=\"memory\"} 1.0")
			.contains(
					"idempotency_store_seconds_bucket{operation=\"claim\",result=\"won\",store=\"memory\",le=\"0.25\"}");
	}

	@Test
	void seesBoundedSeriesHoweverManyKeysCallersPathsAndMethodsThereAre() {
		List.of("GET", "POST", "PUT", "BREW").forEach((method) -> visit(method, "first"));
		pay("/pay/first", "first");
		Set<String> before = series();
		try (RawHttpClient client = RawHttpClient.connect(port("local.server.port"))) {
			for (int i = 0; i < CLIENTS; i++) {
				String name = "n" + i;
				client.send(request("/pay/" + name, name).header("X-Tenant-Too", name)).read();
				if (i % 10 == 0) {
					visit("BREW" + i, name);
				}
			}
		}
		Set<String> more = series();
		more.removeAll(before);
		// A connection that breaks in between adds a few: their number does not grow.
		assertThat(more).hasSizeLessThan(10);
	}

	private static void visit(String method, String name) {
		for (String route : List.of("/pay/", "/open/", "/nowhere/")) {
			RawRequest request = RawRequest.of(method, route + name);
			send("local.server.port", request.header("X-Tenant", name).header("User-Agent", name));
		}
	}

	/** Without those that say how connections and memory are just now. */
	private static Set<String> series() {
		return gateway.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map((meter) -> meter.getId())
			.filter((id) -> !id.getName().matches("(jvm|process|system|executor|logback|disk|application)\\..*"))
			.map((id) -> id.getName() + id.getTags().stream().map(Tag::toString).sorted().toList())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static String enquiry(String key, String path) {
		return """
				{"route":"pay","key":"%s","caller":"header:X-Tenant=acme","host":"LOCALHOST","path":"%s"}"""
			.formatted(key, path);
	}

	private static RawResponse pay(String path, String key) {
		return send("local.server.port", request(path, key));
	}

	private static RawRequest request(String path, String key) {
		return RawRequest.post(path, "{}").key(key).header("X-Tenant", "acme");
	}

	private static JsonNode get(String path) {
		return json.readTree(send("local.management.port", RawRequest.of("GET", path)).body());
	}

	private static JsonNode post(String path, String body) {
		return json.readTree(send("local.management.port", RawRequest.post(path, body)).body());
	}

	private static RawResponse send(String port, RawRequest request) {
		return RawHttpClient.exchange(port(port), request);
	}

	private static int port(String property) {
		return Integer.parseInt(gateway.getEnvironment().getRequiredProperty(property));
	}

}
