package dev.idempotency.store;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;

/**
 * An answer that is kept in another form than it has, and says so in a line whose name
 * begins with a colon, as no line of HTTP's can.
 */
final class Marked {

	private Marked() {
	}

	static StoredResponse with(String mark, String value, int status, List<Header> others, byte[] body) {
		List<Header> headers = new ArrayList<>(others.size() + 1);
		headers.add(new Header(mark, value));
		headers.addAll(others);
		return new StoredResponse(status, headers, body);
	}

	static boolean isMarked(StoredResponse answer) {
		return answer.headers().stream().anyMatch((header) -> header.name().startsWith(":"));
	}

	static @Nullable String value(StoredResponse answer, String mark) {
		return answer.headers()
			.stream()
			.filter((header) -> header.name().equals(mark))
			.findFirst()
			.map(Header::value)
			.orElse(null);
	}

	static List<Header> without(StoredResponse answer, String mark) {
		return answer.headers().stream().filter((header) -> !header.name().equals(mark)).toList();
	}

}
