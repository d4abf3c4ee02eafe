package dev.idempotency.autoconfigure;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the methods that are protected. */
final class Methods {

	/**
	 * A misspelled method would protect nothing and say nothing, hence a closed list.
	 * Preflights (OPTIONS) are never claimed.
	 */
	private static final List<String> ACCEPTED = List.of("POST", "PATCH", "PUT", "DELETE", "GET", "HEAD");

	private static final Checks CHECKS = Checks.ofFields();

	private Methods() {
	}

	static Set<String> parse(List<String> written) {
		Set<String> methods = new LinkedHashSet<>();
		for (String word : written) {
			String method = word.trim().toUpperCase(Locale.ROOT);
			if (!ACCEPTED.contains(method)) {
				throw CHECKS.refuse("methods", word, "a list of " + String.join(", ", ACCEPTED));
			}
			methods.add(method);
		}
		if (methods.isEmpty()) {
			throw CHECKS.refuse("methods",
					"is empty, so that nothing would be protected; accepted: a list of " + String.join(", ", ACCEPTED));
		}
		return Set.copyOf(methods);
	}

}
