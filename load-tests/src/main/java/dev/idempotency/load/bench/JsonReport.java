package dev.idempotency.load.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures for machines. */
final class JsonReport {

	private JsonReport() {
	}

	static String of(Options options, List<Result> results) {
		return "{\"java\":" + text(System.getProperty("java.version")) + ",\"processors\":"
				+ Runtime.getRuntime().availableProcessors() + ",\"rounds\":" + options.rounds() + ",\"seconds\":"
				+ number(options.window().toMillis() / 1e3) + ",\"connections\":" + options.connections() + ",\"jvm\":"
				+ text(String.join(" ", options.jvm())) + ",\"results\":["
				+ results.stream().map(JsonReport::result).collect(Collectors.joining(",")) + "]}\n";
	}

	private static String result(Result result) {
		return "\n{\"store\":" + text(result.store()) + ",\"size\":" + text(result.size()) + ",\"recordOverhead\":"
				+ result.recordOverhead() + ",\"rate\":" + number(result.rate()) + ",\"addedP99Millis\":"
				+ number(result.addedP99()) + ",\"cases\":["
				+ result.cases().entrySet().stream().map((one) -> figures(result, one)).collect(Collectors.joining(","))
				+ "]}";
	}

	private static String figures(Result result, Map.Entry<String, Measurement> entry) {
		Measurement figures = entry.getValue();
		Measurement bare = result.cases().getOrDefault(Case.BARE, figures);
		return "\n {\"case\":" + text(entry.getKey()) + ",\"perSecond\":" + number(figures.perSecond())
				+ ",\"p50Millis\":" + number(figures.p50()) + ",\"p99Millis\":" + number(figures.p99())
				+ ",\"cpuMicros\":" + number(figures.cpu()) + ",\"allocatedBytes\":" + number(figures.allocated())
				+ ",\"redisRoundTrips\":" + number(result.roundTrips().getOrDefault(entry.getKey(), 0.0))
				+ ",\"toBare\":{\"perSecond\":" + number(figures.perSecond() / bare.perSecond()) + ",\"cpu\":"
				+ number(figures.cpu() / bare.cpu()) + ",\"allocated\":"
				+ number(figures.allocated() / bare.allocated()) + "}}";
	}

	private static String text(String value) {
		return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
	}

	private static String number(double value) {
		return Double.isFinite(value) ? String.format(Locale.ROOT, "%.3f", value) : "null";
	}

}
