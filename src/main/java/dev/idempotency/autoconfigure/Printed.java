package dev.idempotency.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

import org.springframework.util.unit.DataSize;

/** How values are spelled to an operator: as he would write them, and on one line. */
final class Printed {

	private static final int LONGEST = 80;

	/** Far more than anybody means, and few enough to be counted in milliseconds. */
	private static final long MANY_DAYS = 1_000_000;

	private Printed() {
	}

	/** Constants as they are written in a file: lower case, with dashes. */
	static String of(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** The largest unit that leaves no remainder. */
	static String of(Duration duration) {
		if (Math.abs(duration.toDays()) > MANY_DAYS) {
			return duration.toDays() + "d";
		}
		long millis = duration.toMillis();
		if (millis == 0 || millis % 1000 != 0) {
			return millis + "ms";
		}
		long seconds = millis / 1000;
		if (seconds % 3600 == 0) {
			return seconds / 3600 + "h";
		}
		return (seconds % 60 == 0) ? seconds / 60 + "m" : seconds + "s";
	}

	/** The largest unit that leaves no remainder. */
	static String of(DataSize size) {
		long bytes = size.toBytes();
		String[] units = { "B", "KB", "MB", "GB" };
		int unit = 0;
		while (bytes != 0 && bytes % 1024 == 0 && unit < units.length - 1) {
			bytes /= 1024;
			unit++;
		}
		return bytes + units[unit];
	}

	/** Separated by commas. */
	static String of(Collection<?> values) {
		return values.stream().map(Printed::any).collect(Collectors.joining(", "));
	}

	/** What somebody wrote, without line breaks and cut where it is long. */
	static String written(Object value) {
		String line = any(value).replaceAll("\\p{Cntrl}", " ");
		return (line.length() > LONGEST) ? line.substring(0, LONGEST) + "…" : line;
	}

	private static String any(Object value) {
		if (value instanceof Enum<?> constant) {
			return of(constant);
		}
		if (value instanceof DataSize size) {
			return of(size);
		}
		return (value instanceof Duration duration) ? of(duration) : String.valueOf(value);
	}

}
