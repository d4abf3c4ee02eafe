package dev.idempotency.core;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * An address to which the end of a job is to be posted, and the rule by which it may be:
 * its host has to be listed, and what it resolves to must not be inside the operator's
 * own network unless that address is listed too.
 *
 * @param uri where
 * @param host in lower case, without brackets
 * @param port as written or implied
 * @since 0.1.0
 */
public record CallbackTarget(URI uri, String host, int port) {

	/**
	 * Reads what a client says.
	 * @param text one URI
	 * @return the target, {@code null} if it is no absolute http or https URI, or has
	 * user or fragment
	 */
	public static @Nullable CallbackTarget parse(String text) {
		try {
			URI uri = new URI(text);
			String scheme = (uri.getScheme() != null) ? uri.getScheme().toLowerCase(Locale.ROOT) : "";
			boolean secure = scheme.equals("https");
			if (!(secure || scheme.equals("http")) || uri.getHost() == null || uri.getUserInfo() != null
					|| uri.getFragment() != null || uri.getPort() > 0xFFFF) {
				return null;
			}
			String host = uri.getHost().toLowerCase(Locale.ROOT).replaceAll("^\\[|]$", "");
			int implied = secure ? 443 : 80;
			return new CallbackTarget(uri, host, (uri.getPort() >= 0) ? uri.getPort() : implied);
		}
		catch (URISyntaxException ex) {
			return null;
		}
	}

	/**
	 * Whether a line of a policy is a range of addresses, such as {@code 10.0.0.0/8}.
	 * @param line the line
	 */
	public static boolean isRange(String line) {
		return AddressRange.parse(line) != null;
	}

	/**
	 * Whether a line of a policy is a name, or an address that can be: four numbers, the
	 * last one a number, are no name (RFC 1123, section 2.1).
	 * @param line in lower case, with or without a port
	 */
	public static boolean isHost(String line) {
		return HostRule.isHost(line);
	}

	/**
	 * Whether one of the lines names it, be it by a scheme that may be used or not.
	 * @param hosts what a policy lists
	 */
	public boolean isListed(List<String> hosts) {
		return hosts.stream().map(HostRule::parse).anyMatch(rule -> rule.covers(this));
	}

	/**
	 * Whether it may be posted there, as far as the name alone says.
	 * @param hosts what a policy lists
	 */
	public boolean isPermitted(List<String> hosts) {
		return isListed(hosts) && (isSecure() || isNear(hosts));
	}

	/**
	 * Whether it may be posted to that address, to which the host resolves.
	 * @param hosts what a policy lists
	 * @param address the address
	 */
	public boolean isPermitted(List<String> hosts, InetAddress address) {
		if (hosts.stream().map(HostRule::parse).anyMatch(rule -> rule.contains(address))) {
			return true;
		}
		boolean ownMachine = this.host.equals("localhost") && address.isLoopbackAddress();
		return ownMachine ? isPermitted(hosts) : !AddressRange.isPrivate(address);
	}

	/** Without TLS only within one's own walls. */
	private boolean isNear(List<String> hosts) {
		InetAddress literal = AddressRange.literal(this.host);
		return this.host.equals("localhost")
				|| (literal != null && hosts.stream().map(HostRule::parse).anyMatch(rule -> rule.contains(literal)))
				|| hosts.stream().map(HostRule::parse).anyMatch(rule -> rule.isRange() && literal == null);
	}

	private boolean isSecure() {
		return "https".equalsIgnoreCase(this.uri.getScheme());
	}

	/** Its query may be a secret. */
	@Override
	public String toString() {
		return this.host + ":" + this.port;
	}

}
