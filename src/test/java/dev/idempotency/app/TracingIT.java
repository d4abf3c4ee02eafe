package dev.idempotency.app;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.idempotency.testing.Arrival;
import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.ScriptedBackend;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** What a collector gets once Boot's property says where it is. */
@ExtendWith(OutputCaptureExtension.class)
class TracingIT {

	private static final String COLLECTOR = "/v1/traces";

	private static final ScriptedBackend backend = ScriptedBackend.start();

	@TempDir
	static Path folder;

	private static ConfigurableApplicationContext gateway;

	@BeforeAll
	static void start() throws Exception {
		backend.on(COLLECTOR, Reply.of(200).header("Content-Type", "application/x-protobuf"));
		backend.on("/broken", Reply.reset());
		backend.on("/twice", Reply.of(503), Reply.json(201, "{}"));
		Path routes = Files.writeString(folder.resolve("routes.yml"), """
				spring.cloud.gateway.server.webflux.routes:
				  - id: pay
				    uri: %s
				    predicates: [ "Path=/**" ]
				    filters: [ "Idempotency" ]
				idempotency.policies.default: { anonymous: share, caller: principal, retry: { backoff: 1ms } }
				""".formatted(backend.uri()));
		gateway = IdempotencyGatewayApplication
			.configured(new SpringApplication(IdempotencyGatewayApplication.class),
					RoutesFiles.namedBy(routes.toString()))
			.run("--server.port=0", "--management.server.port=0", "--management.tracing.sampling.probability=1",
					"--management.opentelemetry.tracing.export.otlp.endpoint=" + backend.uri() + COLLECTOR,
					"--management.opentelemetry.tracing.export.schedule-delay=50ms");
	}

	@AfterAll
	static void stop() {
		gateway.close();
		backend.close();
	}

	@Test
	void claim_attempt_and_settle_have_a_span_each_and_the_clients_call_is_part_of_the_attempt() {
		send("/spans", "spans");
		Span claim = span("/spans", "idempotency.claim");
		Span attempt = span("/spans", "idempotency.attempt");
		Span settle = span("/spans", "idempotency.settle");
		String trace = traceOf("/spans");
		assertThat(List.of(claim, attempt, settle)).allMatch((span) -> hex(span.getTraceId()).equals(trace));
		assertThat(attributes(claim)).contains("idempotency.result=won", "idempotency.store=memory");
		assertThat(attributes(attempt)).contains("idempotency.result=done", "idempotency.route=pay",
				"idempotency.attempt.number=1");
		assertThat(attributes(settle)).contains("idempotency.result=ok");
		assertThat(spansOf(trace)).filteredOn((span) -> span.getParentSpanId().equals(attempt.getSpanId()))
			.extracting(Span::getKind)
			.containsExactly(Span.SpanKind.SPAN_KIND_CLIENT);
		assertThat(claim.getEndTimeUnixNano()).isGreaterThan(claim.getStartTimeUnixNano());
		assertThat(attempt.getStartTimeUnixNano()).isGreaterThanOrEqualTo(claim.getStartTimeUnixNano());
	}

	@Test
	void each_attempt_has_a_span() {
		send("/twice", "twice");
		Awaitility.await()
			.untilAsserted(() -> assertThat(spansOf(traceOf("/twice"))).filteredOn(named("idempotency.attempt"))
				.flatExtracting(TracingIT::attributes)
				.contains("idempotency.result=not_applied_status", "idempotency.result=done",
						"idempotency.attempt.number=2"));
	}

	@Test
	void a_replay_links_to_the_trace_of_the_execution_it_repeats() {
		RawResponse first = send("/linked", "linked");
		RawResponse replay = send("/linked", "linked");
		assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
		assertThat(replay.headers()).noneMatch((line) -> line.name().startsWith(":"));
		assertThat(replay.body()).isEqualTo(first.body());
		String execution = traceOf("/linked");
		Awaitility.await()
			.untilAsserted(() -> assertThat(spans()).filteredOn(named("idempotency.claim"))
				.filteredOn((span) -> !hex(span.getTraceId()).equals(execution))
				.flatExtracting(Span::getLinksList)
				.extracting((link) -> hex(link.getTraceId()))
				.contains(execution));
	}

	@Test
	void a_line_of_the_log_names_the_trace_it_belongs_to(CapturedOutput output) {
		send("/broken", "broken");
		String trace = traceOf("/broken");
		assertThat(output.getAll().lines()).filteredOn((line) -> line.contains("outcome of"))
			.singleElement()
			.asString()
			.contains(trace);
	}

	@Test
	void no_span_holds_a_key_and_none_makes_a_meter() {
		send("/secret", "sk-very-secret");
		span("/secret", "idempotency.settle");
		assertThat(backend.arrivals(COLLECTOR))
			.noneMatch((sent) -> new String(sent.body(), StandardCharsets.ISO_8859_1).contains("sk-very-secret"));
		assertThat(gateway.getBean(MeterRegistry.class).getMeters()).extracting((meter) -> meter.getId().getName())
			.doesNotContain("idempotency.claim", "idempotency.attempt", "idempotency.settle",
					"idempotency.attempt.active");
	}

	private static RawResponse send(String path, String key) {
		return RawHttpClient.exchange(Integer.parseInt(gateway.getEnvironment().getProperty("local.server.port")),
				RawRequest.post(path, "{}").key(key));
	}

	/** The trace in which the backend was called last. */
	private static String traceOf(String path) {
		List<Arrival> arrivals = backend.arrivals(path);
		String parent = arrivals.get(arrivals.size() - 1).header("traceparent");
		Matcher matcher = Pattern.compile("00-(\\p{XDigit}{32})-\\p{XDigit}{16}-0[13]").matcher(String.valueOf(parent));
		assertThat(matcher.matches()).as("traceparent %s", parent).isTrue();
		return matcher.group(1);
	}

	private static Span span(String path, String name) {
		String trace = traceOf(path);
		return Awaitility.await()
			.until(() -> spansOf(trace).stream().filter(named(name)).findFirst().orElse(null),
					(found) -> found != null);
	}

	private static List<Span> spansOf(String trace) {
		return spans().stream().filter((span) -> hex(span.getTraceId()).equals(trace)).toList();
	}

	private static List<Span> spans() {
		return backend.arrivals(COLLECTOR).stream().flatMap((sent) -> spans(sent).stream()).toList();
	}

	private static List<Span> spans(Arrival sent) {
		try {
			return ExportTraceServiceRequest.parseFrom(sent.body())
				.getResourceSpansList()
				.stream()
				.flatMap((resource) -> resource.getScopeSpansList().stream())
				.flatMap((scope) -> scope.getSpansList().stream())
				.toList();
		}
		catch (InvalidProtocolBufferException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static java.util.function.Predicate<Span> named(String name) {
		return (span) -> span.getName().equals(name);
	}

	private static List<String> attributes(Span span) {
		return span.getAttributesList()
			.stream()
			.map((pair) -> pair.getKey() + "=" + pair.getValue().getStringValue())
			.toList();
	}

	private static String hex(ByteString octets) {
		return HexFormat.of().formatHex(octets.toByteArray());
	}

}
