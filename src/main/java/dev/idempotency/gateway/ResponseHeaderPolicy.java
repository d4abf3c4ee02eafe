package dev.idempotency.gateway;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

import dev.idempotency.core.StoredResponse.Header;

/**
 * Which headers of a backend's answer go where. An exchange's own headers are neither
 * replayed nor, where they concern one connection only, passed on (RFC 9110, section
 * 7.6.1).
 */
final class ResponseHeaderPolicy {

	/** Marks a replay. */
	static final String REPLAYED = "Idempotent-Replayed";

	/** Says what is known of the operation behind a replay. */
	static final String OUTCOME = "Idempotency-Outcome";

	/** Says that a request went unprotected. */
	static final String STATUS = "Idempotency-Status";

	/** Left out of a record unless configured otherwise; a star stands for any ending. */
	static final List<String> DROPPED_BY_DEFAULT = List.of("Proxy-*", "Trailer", "Age", "Set-Cookie",
			"WWW-Authenticate", "Authentication-Info", "Server-Timing", "traceparent", "tracestate", "X-Request-Id",
			"RateLimit-*", "X-RateLimit-*", "Retry-After", "Alt-Svc");

	private static final HeaderNames HOP_BY_HOP = HeaderNames.of("Connection", "Keep-Alive", "Proxy-Connection",
			"Proxy-Authenticate", "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding", "Upgrade");

	/** True of the answer that is sent, not of the one that was stored. */
	private static final HeaderNames MADE_AFRESH = HeaderNames.of("Date", "Content-Length", "Access-Control-*",
			REPLAYED, OUTCOME, STATUS);

	private final HeaderNames keys;

	private final HeaderNames dropped;

	/**
	 * A policy.
	 * @param keys the request headers that carry the key; a backend's own echo of them is
	 * replaced
	 * @param dropped further headers that are left out of a record, a star at the end
	 * standing for any ending
	 */
	ResponseHeaderPolicy(Collection<String> keys, Collection<String> dropped) {
		this.keys = HeaderNames.of(keys);
		this.dropped = HeaderNames.of(dropped);
	}

	/**
	 * What is kept for replays.
	 * @param answer the header lines of the backend's answer
	 * @return those that belong to every answer of this operation, in their order
	 */
	List<Header> recorded(List<Header> answer) {
		return without(answer, (header) -> MADE_AFRESH.contains(header.name()) || this.keys.contains(header.name())
				|| this.dropped.contains(header.name()));
	}

	/**
	 * What the client gets of an answer just given. A backend's own marker is passed on,
	 * once.
	 * @param answer the header lines of the backend's answer
	 * @return the end-to-end ones, in their order, without the backend's echo of the key
	 */
	List<Header> fresh(List<Header> answer) {
		List<Header> passed = without(answer, (header) -> this.keys.contains(header.name()));
		keepFirst(passed, REPLAYED);
		return passed;
	}

	private static void keepFirst(List<Header> headers, String name) {
		boolean seen = false;
		for (Iterator<Header> lines = headers.iterator(); lines.hasNext();) {
			if (lines.next().name().equalsIgnoreCase(name)) {
				if (seen) {
					lines.remove();
				}
				seen = true;
			}
		}
	}

	private static List<Header> without(List<Header> answer, Predicate<Header> unwanted) {
		HeaderNames named = HeaderNames.of(namedByConnection(answer));
		List<Header> rest = new ArrayList<>(answer);
		rest.removeIf((header) -> HOP_BY_HOP.contains(header.name()) || named.contains(header.name())
				|| unwanted.test(header));
		return rest;
	}

	private static List<String> namedByConnection(List<Header> answer) {
		List<String> names = new ArrayList<>();
		for (Header header : answer) {
			if (header.name().equalsIgnoreCase("Connection")) {
				for (String name : header.value().split(",")) {
					names.add(name.strip());
				}
			}
		}
		return names;
	}

}
