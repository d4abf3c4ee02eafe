package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

import dev.idempotency.core.Caller;
import dev.idempotency.core.Digests;
import dev.idempotency.core.IdempotencyKey;
import dev.idempotency.core.RecordId;

/**
 * What makes up the identity of an operation. Two operations with equal parts are one, so
 * a change of anything here makes old keys new: it has to be said in {@link #VERSION},
 * whose hash an operator can compare between instances and releases.
 *
 * <p>
 * The path is taken in its normal form (RFC 3986, sections 6.2.2.2 and 6.2.2.3):
 * unreserved characters decoded, hexadecimal digits in upper case, dot segments removed.
 * Double slashes, a slash at the end and matrix parameters stay, since a backend may mean
 * something by them.
 */
final class IdentityRules {

	/** The rules in words; changes with them. */
	static final String VERSION = "1: namespace, caller source, caller, method, host, normalised path, key";

	/** Eight hexadecimal digits that stand for the rules. */
	static final String HASH = HexFormat.of()
		.formatHex(Digests.sha256().digest(VERSION.getBytes(StandardCharsets.UTF_8)), 0, 4);

	private IdentityRules() {
	}

	/**
	 * The identity of an operation.
	 * @param namespace the policy's namespace
	 * @param caller whose key it is
	 * @param method the request's method
	 * @param target what the client asked for
	 * @param key the key
	 * @return where its record is found
	 */
	static RecordId identify(String namespace, Caller caller, String method, RequestTarget target, IdempotencyKey key) {
		return RecordId.of(List.of(namespace, caller.source(), caller.identity(), method, target.host(),
				normalizedPath(target.path()), key.value()));
	}

	static String normalizedPath(String path) {
		String encoded = PercentEncoding.normalized(path);
		return encoded.contains("/.") ? withoutDotSegments(encoded) : encoded;
	}

	/** RFC 3986, section 5.2.4. */
	private static String withoutDotSegments(String path) {
		StringBuilder out = new StringBuilder(path.length());
		int at = 0;
		while (at < path.length()) {
			int slash = path.indexOf('/', at + 1);
			int end = (slash < 0) ? path.length() : slash;
			String segment = path.substring(at, end);
			if (segment.equals("/..")) {
				out.setLength(Math.max(out.lastIndexOf("/"), 0));
			}
			else if (!segment.equals("/.")) {
				out.append(segment);
			}
			boolean dots = segment.equals("/.") || segment.equals("/..");
			if (dots && end == path.length()) {
				out.append('/');
			}
			at = end;
		}
		return out.toString();
	}

}
