package dev.idempotency.load.bench;

import java.util.Locale;

/**
 * How large bodies are: {@code 10k} for both, {@code 200:500k} for a small request with a
 * large answer.
 *
 * @param name as written
 * @param request the request's body in bytes
 * @param answer the answer's body in bytes
 */
record Size(String name, int request, int answer) {

	static Size of(String name) {
		String[] parts = name.split(":", 2);
		return new Size(name, bytes(parts[0]), bytes(parts[parts.length - 1]));
	}

	private static int bytes(String text) {
		String lower = text.toLowerCase(Locale.ROOT);
		return lower.endsWith("k") ? 1000 * Integer.parseInt(lower.substring(0, lower.length() - 1))
				: Integer.parseInt(lower);
	}

}
