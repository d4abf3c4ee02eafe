package dev.idempotency.documentation;

import java.util.Arrays;
import java.util.stream.Collectors;

import dev.idempotency.observability.IdempotencyMeter;
import io.micrometer.common.docs.KeyName;

/** The meters as the code documents them, as a table in Markdown. */
final class MeterTable {

	private MeterTable() {
	}

	static String markdown() {
		return Arrays.stream(IdempotencyMeter.values())
			.map(MeterTable::row)
			.collect(Collectors.joining("\n", "| meter | kind | tags | what it tells |\n|---|---|---|---|\n", ""));
	}

	private static String row(IdempotencyMeter meter) {
		String tags = Arrays.stream(meter.getKeyNames())
			.map(KeyName::asString)
			.map((tag) -> "`" + tag + "`")
			.collect(Collectors.joining(", "));
		return "| `" + meter.getName() + "` | " + meter.getType().name().toLowerCase(java.util.Locale.ROOT) + " | "
				+ tags + " | " + meter.description() + " |";
	}

}
