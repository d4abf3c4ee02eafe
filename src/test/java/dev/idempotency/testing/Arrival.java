package dev.idempotency.testing;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One request as it reached a {@link ScriptedBackend}.
 *
 * @param nanos {@link System#nanoTime()} when its head was there
 * @param connection number of the connection, the first being 1
 * @param method the method
 * @param target the request target as it was sent, query included
 * @param headers header lines in their order
 * @param body the content without its framing, as much as came
 * @param raw every octet of head, framing and body
 * @param whole whether all of it came
 */
public record Arrival(long nanos, int connection, String method, String target, List<HeaderLine> headers, byte[] body,
		byte[] raw, boolean whole) {

	/** The target without its query. */
	public String path() {
		return this.target.split("\\?", 2)[0];
	}

	/** The first value of a header, {@code null} if there is none. */
	public @Nullable String header(String name) {
		List<String> values = headers(name);
		return values.isEmpty() ? null : values.get(0);
	}

	/** All values of a header, a line each. */
	public List<String> headers(String name) {
		return HeaderLine.values(this.headers, name);
	}

	/** The {@code Idempotency-Key} as it came, quotes included. */
	public @Nullable String key() {
		return header("Idempotency-Key");
	}

	/** The content as text. */
	public String text() {
		return new String(this.body, StandardCharsets.UTF_8);
	}

	@Override
	public String toString() {
		return this.method + " " + this.target + ", " + this.body.length + " bytes" + (this.whole ? "" : ", cut short");
	}

}
