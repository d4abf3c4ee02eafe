package dev.idempotency.load.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures as a table of text. */
final class TextReport {

	private static final String LINE = "%-26s %9s %7s %8s %8s %9s %7s %10s %7s %6s%n";

	private TextReport() {
	}

	static String of(Result result) {
		StringBuilder text = new StringBuilder(
				String.format("%n%s store, bodies of %s bytes%n", result.store(), result.size()));
		text.append(String.format(LINE, "case", "answers/s", "ratio", "p50 ms", "p99 ms", "cpu µs", "ratio", "alloc B",
				"ratio", "redis"));
		result.cases().forEach((name, figures) -> text.append(line(result, name, figures)));
		conclusions(result).forEach((line) -> text.append(line).append('\n'));
		return text.toString();
	}

	private static String line(Result result, String name, Measurement figures) {
		Measurement bare = result.cases().getOrDefault(Case.BARE, figures);
		return String.format(Locale.ROOT, LINE, name, number("%.0f", figures.perSecond()),
				number("%.2f", figures.perSecond() / bare.perSecond()), number("%.2f", figures.p50()),
				number("%.2f", figures.p99()), number("%.1f", figures.cpu()),
				number("%.2f", figures.cpu() / bare.cpu()), number("%.0f", figures.allocated()),
				number("%.2f", figures.allocated() / bare.allocated()),
				number("%.1f", result.roundTrips().getOrDefault(name, 0.0)));
	}

	private static List<String> conclusions(Result result) {
		List<String> lines = new ArrayList<>();
		for (String other : List.of("rate limiter", "stock bare", "stock bare, no actuator")) {
			if (result.cases().containsKey(other) && result.cases().containsKey(Case.NEW_KEYS)) {
				lines.add("new keys / " + other + ": cpu " + number("%.2f", result.cpuRatio(Case.NEW_KEYS, other)));
			}
		}
		if (result.rate() > 0) {
			lines.add("at " + number("%.0f", result.rate()) + " requests/s, p99 of new keys minus bare: "
					+ number("%.2f", result.addedP99()) + " ms");
		}
		if (result.recordOverhead() > 0) {
			lines.add("a record's bytes beyond the answer's: " + result.recordOverhead());
		}
		return lines;
	}

	private static String number(String format, double value) {
		return String.format(Locale.ROOT, format, value);
	}

}
