package dev.idempotency.core;

/**
 * Who sent the request, as far as the route's policy can tell. The name of the source is
 * part of the identity, so that a header value never meets an equal principal name.
 *
 * @param source name of the source, for instance {@code principal} or
 * {@code header:X-Tenant}
 * @param identity what the source said; empty only for {@link #ANONYMOUS}
 * @since 0.1.0
 */
public record Caller(String source, String identity) {

	/** The bucket that all anonymous callers share where a policy says so. */
	public static final Caller ANONYMOUS = new Caller("anonymous", "");

	/** An identity never reaches a log. */
	@Override
	public String toString() {
		return "Caller[" + this.source + "]";
	}

}
