package dev.idempotency.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.idempotency.core.RequestResult;
import dev.idempotency.gateway.BypassReason;
import dev.idempotency.observability.IdempotencyMeter;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Dashboard and alerts, held to the names that the gateway really has. */
class MonitoringTests {

	private static final Path DASHBOARD = Path.of("k8s/monitoring/grafana-dashboard.json");

	private static final Path RULES = Path.of("k8s/monitoring/prometheusrule.yaml");

	private static final Pattern NAME = Pattern.compile("\\bidempotency_[a-z_]+");

	private static final Pattern RESULTS = Pattern
		.compile("(idempotency_(?:requests|bypassed)_total)\\{[^}]*?result=~?\"(?<values>[^\"]+)\"");

	private static final Pattern TAG = Pattern.compile("\\b([a-z_]+)(?:=~?|!=|!~)\"");

	private static final Set<String> BY_PROMETHEUS = Set.of("job", "instance", "le", "area");

	static Stream<String> expressions() throws IOException {
		List<String> expressions = new ObjectMapper().readTree(DASHBOARD.toFile()).findValuesAsText("expr");
		List<String> rules = new ObjectMapper(new YAMLFactory()).readTree(RULES.toFile()).findValuesAsText("expr");
		return Stream.concat(expressions.stream(), rules.stream());
	}

	@ParameterizedTest
	@MethodSource("expressions")
	void everyMetricThatIsAskedForExists(String expression) {
		assertThat(found(NAME, expression)).isSubsetOf(series().keySet());
	}

	@ParameterizedTest
	@MethodSource("expressions")
	void everyTagThatIsAskedForExists(String expression) {
		Set<String> known = new TreeSet<>(BY_PROMETHEUS);
		found(NAME, expression).forEach((name) -> known.addAll(series().getOrDefault(name, Set.of())));
		assertThat(found(TAG, expression)).isSubsetOf(known);
	}

	@ParameterizedTest
	@MethodSource("expressions")
	void everyResultThatIsAskedForExists(String expression) {
		Set<String> known = Stream
			.concat(Arrays.stream(RequestResult.values()).map(RequestResult::tag),
					Arrays.stream(BypassReason.values()).map(BypassReason::tag))
			.collect(Collectors.toSet());
		RESULTS.matcher(expression).results().forEach((result) -> {
			for (String value : result.group(2).split("\\|")) {
				assertThat(known).anyMatch((name) -> name.matches(value));
			}
		});
	}

	@Test
	void everyMeterIsOnTheDashboard() throws IOException {
		String dashboard = Files.readString(DASHBOARD);
		assertThat(Arrays.stream(IdempotencyMeter.values()).map(MonitoringTests::name))
			.allSatisfy((name) -> assertThat(dashboard).contains(name));
	}

	@ParameterizedTest
	@ValueSource(strings = { "executed", "replayed", "conflicts", "unknown", "resends", "latency of the store", "jobs",
			"dead letters", "executions saved" })
	void aReaderFinds(String what) throws IOException {
		JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
		assertThat(dashboard.findValuesAsText("title"))
			.anyMatch((title) -> title.toLowerCase(Locale.ROOT).contains(what));
	}

	@Test
	void panelsHaveNumbersOfTheirOwnAndDoNotOverlap() throws IOException {
		JsonNode panels = new ObjectMapper().readTree(DASHBOARD.toFile()).get("panels");
		Set<Integer> ids = new TreeSet<>();
		Set<String> places = new TreeSet<>();
		for (JsonNode panel : panels) {
			assertThat(ids.add(panel.get("id").asInt())).isTrue();
			JsonNode at = panel.get("gridPos");
			for (int x = at.get("x").asInt(); x < at.get("x").asInt() + at.get("w").asInt(); x++) {
				for (int y = at.get("y").asInt(); y < at.get("y").asInt() + at.get("h").asInt(); y++) {
					assertThat(places.add(x + "/" + y)).as("%s at %s/%s", panel.get("title"), x, y).isTrue();
				}
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "dead_letters", "unknown_", "unavailable", "in_flight_oldest" })
	void thereIsAnAlertOn(String what) throws IOException {
		assertThat(new ObjectMapper(new YAMLFactory()).readTree(RULES.toFile()).findValuesAsText("expr"))
			.anyMatch((expression) -> expression.contains(what));
	}

	@Test
	void eachAlertSaysHowBadItIsAndWhatToDo() throws IOException {
		JsonNode rules = new ObjectMapper(new YAMLFactory()).readTree(RULES.toFile()).at("/spec/groups/0/rules");
		assertThat(rules).isNotEmpty().allSatisfy((rule) -> {
			assertThat(rule.at("/labels/severity").asText()).isIn("info", "warning", "critical");
			assertThat(rule.at("/annotations/summary").asText()).as("%s", rule.get("alert")).isNotBlank();
			assertThat(rule.at("/annotations/description").asText()).as("%s", rule.get("alert")).isNotBlank();
		});
	}

	/** What Prometheus stores of each meter, and its tags. */
	private static Map<String, Set<String>> series() {
		Map<String, Set<String>> series = new java.util.TreeMap<>();
		for (IdempotencyMeter meter : IdempotencyMeter.values()) {
			Set<String> tags = Arrays.stream(meter.getKeyNames()).map(KeyName::asString).collect(Collectors.toSet());
			if (meter.getType() == Meter.Type.TIMER) {
				Stream.of("_count", "_sum", "_max", "_bucket").forEach((end) -> series.put(name(meter) + end, tags));
			}
			else {
				series.put(name(meter), tags);
			}
		}
		return series;
	}

	private static String name(IdempotencyMeter meter) {
		String unit = meter.getBaseUnit();
		return new PrometheusNamingConvention().name(meter.getName(), meter.getType(),
				(unit == null || unit.isEmpty()) ? null : unit)
				+ ((meter.getType() == Meter.Type.COUNTER) ? "_total" : "");
	}

	private static Set<String> found(Pattern pattern, String text) {
		return pattern.matcher(text)
			.results()
			.map((MatchResult match) -> (match.groupCount() > 0) ? match.group(1) : match.group())
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
