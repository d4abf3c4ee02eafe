package dev.idempotency.autoconfigure;

import java.util.List;
import java.util.Locale;

import dev.idempotency.core.IdempotencyPolicy.CallerSource;
import dev.idempotency.core.IdempotencyPolicy.CallerSource.Kind;

/** Reads the sources of a caller's identity. */
final class CallerSources {

	static final String ACCEPTED = "principal, authorization, header:NAME, cookie:NAME, client-ip";

	private static final Checks CHECKS = Checks.ofFields();

	private CallerSources() {
	}

	static List<CallerSource> parse(List<String> written) {
		return written.stream().map(String::trim).map(CallerSources::source).distinct().toList();
	}

	private static CallerSource source(String written) {
		int colon = written.indexOf(':');
		String word = ((colon < 0) ? written : written.substring(0, colon)).trim().toLowerCase(Locale.ROOT);
		String name = (colon < 0) ? "" : written.substring(colon + 1).trim();
		for (Kind kind : Kind.values()) {
			if (Printed.of(kind).equals(word) && isNamed(kind) == (colon >= 0)) {
				return named(kind, name, written);
			}
		}
		throw CHECKS.refuse("caller", written, "a list of " + ACCEPTED);
	}

	private static CallerSource named(Kind kind, String name, String written) {
		if (isNamed(kind) && !Checks.isToken(name)) {
			throw CHECKS.refuse("caller", written, "a list of " + ACCEPTED);
		}
		return new CallerSource(kind, name);
	}

	private static boolean isNamed(Kind kind) {
		return kind == Kind.HEADER || kind == Kind.COOKIE;
	}

}
