package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

import org.springframework.http.HttpHeaders;

import dev.idempotency.core.Caller;
import dev.idempotency.core.Digests;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyPolicy.CallerSource;
import dev.idempotency.core.IdempotencyPolicy.CallerSource.Kind;
import dev.idempotency.core.RecordId;

/**
 * Finds the record of a request that somebody describes: the same rules as for the
 * request itself, so that support can answer what became of a key.
 *
 * @since 0.1.0
 */
public final class RecordLocator {

	private static final String DIGEST = "[0-9a-f]{64}";

	private final IdempotencyPolicy policy;

	/**
	 * For the requests of one route.
	 * @param policy its rules
	 */
	public RecordLocator(IdempotencyPolicy policy) {
		this.policy = policy;
	}

	/**
	 * Where the record would be.
	 * @param description of the request
	 * @return its identity
	 * @throws IllegalArgumentException if no such request could have one, in one line
	 * that names the field and the accepted values, and holds no value of a field
	 */
	public RecordId locate(Description description) {
		return IdentityRules.identify(namespace(), caller(description.caller()), method(description.method()),
				target(description), key(description.key()).key());
	}

	private String namespace() {
		return (this.policy.mode() == IdempotencyPolicy.Mode.OBSERVE) ? ObservingGatewayFilter.namespace(this.policy)
				: this.policy.scope().namespace();
	}

	private String method(String method) {
		if (!this.policy.key().methods().contains(method)) {
			throw new IllegalArgumentException("Field 'method' has to be one that the route protects; accepted: "
					+ String.join(", ", this.policy.key().methods().stream().sorted().toList()));
		}
		return method;
	}

	private static RequestTarget target(Description description) {
		String path = description.path();
		if (!path.startsWith("/") || path.contains("?")) {
			throw new IllegalArgumentException(
					"Field 'path' has to be the path as the client sent it; accepted: an absolute path without query");
		}
		return new RequestTarget(description.host().toLowerCase(Locale.ROOT), path, "");
	}

	private PresentedKey.Present key(String key) {
		HttpHeaders headers = new HttpHeaders();
		headers.set(this.policy.key().header(), key);
		if (new IdempotencyKeyParser(this.policy.key()).parse(headers) instanceof PresentedKey.Present present) {
			return present;
		}
		throw new IllegalArgumentException(
				"Field 'key' is no key that the route accepts; accepted: what a request may carry in "
						+ this.policy.key().header());
	}

	/** Written {@code SOURCE=IDENTITY}; nothing at all is who shares one bucket. */
	private Caller caller(String caller) {
		if (caller.isEmpty() && this.policy.scope().anonymousShares()) {
			return Caller.ANONYMOUS;
		}
		for (CallerSource source : this.policy.scope().callers()) {
			String start = source + "=";
			if (caller.length() > start.length() && caller.regionMatches(true, 0, start, 0, start.length())) {
				return CallerResolver.caller(source, identity(source, caller.substring(start.length()).strip()));
			}
		}
		List<String> accepted = this.policy.scope().callers().stream().map((source) -> source + "=IDENTITY").toList();
		throw new IllegalArgumentException("Field 'caller' has to name a source of the route and what it said; "
				+ "accepted: " + String.join(", ", accepted)
				+ (this.policy.scope().anonymousShares() ? ", or nothing for an anonymous caller" : ""));
	}

	/**
	 * A credential may come as its digest, and a token's holder as issuer and subject.
	 */
	private static String identity(CallerSource source, String written) {
		if (source.kind() == Kind.AUTHORIZATION && !written.matches(DIGEST)) {
			return HexFormat.of().formatHex(Digests.sha256().digest(written.getBytes(StandardCharsets.UTF_8)));
		}
		int space = written.indexOf(' ');
		return (source.kind() == Kind.PRINCIPAL && space > 0 && !written.startsWith("name:"))
				? PrincipalIdentity.ofToken(written.substring(0, space), written.substring(space + 1)) : written;
	}

	/**
	 * A request, as far as it says where its record is.
	 *
	 * @param caller {@code SOURCE=IDENTITY}, empty for an anonymous one
	 * @param method in upper case
	 * @param host as in the header {@code Host}, the default port left out
	 * @param path as the client sent it, without query
	 * @param key as the client sent it
	 */
	public record Description(String caller, String method, String host, String path, String key) {

		/** Neither key nor caller reaches a log. */
		@Override
		public String toString() {
			return "Description[" + this.method + "]";
		}

	}

}
