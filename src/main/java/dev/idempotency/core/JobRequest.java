package dev.idempotency.core;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.StoredResponse.Header;

/**
 * The request of a job as it reached the filter: what every attempt sends, whichever
 * gateway makes it.
 *
 * @param method the method
 * @param uri the whole URI, after the filters in front
 * @param headers header lines in their order, the key's among them
 * @param body the octets of the content
 * @param remote address and port of the client, {@code null} if not known
 * @param variables what the route's predicates took out of the path
 * @param key the key after decoding, for the question after an unknown outcome
 * @since 0.1.0
 */
public record JobRequest(String method, String uri, List<Header> headers, byte[] body, @Nullable String remote,
		Map<String, String> variables, String key) {

	public JobRequest {
		headers = List.copyOf(headers);
		variables = Map.copyOf(variables);
	}

	/** Octets it occupies, roughly. */
	public int size() {
		int size = this.body.length + this.uri.length();
		for (Header header : this.headers) {
			size += header.name().length() + header.value().length() + 4;
		}
		return size;
	}

	/** Nothing of it reaches a log. */
	@Override
	public String toString() {
		return "JobRequest[" + this.method + ", " + this.body.length + " bytes]";
	}

}
