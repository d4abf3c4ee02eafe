package dev.idempotency.core;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A range of addresses (RFC 4632, RFC 4291, section 2.3).
 *
 * @param octets the lowest address
 * @param bits how many of its bits all addresses share
 */
record AddressRange(byte[] octets, int bits) {

	private static final Pattern LITERAL = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

	/**
	 * What no stranger reaches by himself (RFC 6890 and its registries): this host,
	 * private and shared networks, links, benchmarks, documentation, multicast, reserved
	 * addresses, and prefixes that hide an IPv4 address.
	 */
	private static final List<AddressRange> PRIVATE = java.util.stream.Stream
		.of("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
				"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
				"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64",
				"2001::/23", "2001:db8::/32", "2002::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8")
		.map(AddressRange::parse)
		.map(Objects::requireNonNull)
		.toList();

	static AddressRange of(InetAddress address) {
		byte[] octets = address.getAddress();
		return new AddressRange(octets, octets.length * 8);
	}

	/** Reads {@code ADDRESS/BITS}; {@code null} for anything else. */
	static @Nullable AddressRange parse(String text) {
		int slash = text.indexOf('/');
		InetAddress lowest = (slash > 0) ? literal(text.substring(0, slash)) : null;
		if (lowest == null || !text.substring(slash + 1).matches("\\d{1,3}")) {
			return null;
		}
		int bits = Integer.parseInt(text.substring(slash + 1));
		byte[] octets = lowest.getAddress();
		return (bits <= octets.length * 8) ? new AddressRange(octets, bits) : null;
	}

	/** The address that a text is, without asking anybody; {@code null} for a name. */
	static @Nullable InetAddress literal(String text) {
		if (!LITERAL.matcher(text).matches()) {
			return null;
		}
		try {
			return InetAddress.getByName(text);
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	static boolean isPrivate(InetAddress address) {
		return address.isAnyLocalAddress() || PRIVATE.stream().anyMatch(range -> range.contains(address));
	}

	boolean contains(InetAddress address) {
		byte[] other = address.getAddress();
		if (other.length != this.octets.length) {
			return false;
		}
		for (int bit = 0; bit < this.bits; bit++) {
			int mask = 0x80 >> bit % 8;
			if (((other[bit / 8] ^ this.octets[bit / 8]) & mask) != 0) {
				return false;
			}
		}
		return true;
	}

}
