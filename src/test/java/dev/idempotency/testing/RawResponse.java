package dev.idempotency.testing;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An answer as it came over the wire.
 *
 * @param status the status of the final answer
 * @param headers its header lines in their order
 * @param body the content without its framing, as much as came
 * @param interim statuses of the interim answers before it
 * @param problems what is wrong with the framing; empty for a clean answer
 */
public record RawResponse(int status, List<HeaderLine> headers, byte[] body, List<Integer> interim,
		List<String> problems) {

	/** The first value of a header, {@code null} if there is none. */
	public @Nullable String header(String name) {
		List<String> values = headers(name);
		return values.isEmpty() ? null : values.get(0);
	}

	/** All values of a header, a line each. */
	public List<String> headers(String name) {
		return HeaderLine.values(this.headers, name);
	}

	/** The content as text. */
	public String text() {
		return new String(this.body, StandardCharsets.UTF_8);
	}

	/** Whether the answer came whole and well framed. */
	public boolean clean() {
		return this.problems.isEmpty();
	}

	/** Everything a failing test wants to show. */
	@Override
	public String toString() {
		return this.status + " " + this.headers + " " + text() + (clean() ? "" : " " + this.problems);
	}

}
