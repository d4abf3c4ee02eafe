package dev.idempotency.core;

import java.net.Inet4Address;
import java.net.InetAddress;

import org.jspecify.annotations.Nullable;

/**
 * One line of a list of hosts: a name, all names below one, an address, or a range of
 * addresses; names and addresses with or without a port.
 *
 * @param name name in lower case, empty for an address or a range
 * @param below whether all names below it are meant, and not itself
 * @param range addresses, {@code null} for a name
 * @param block whether a range was written as one
 * @param port 0 for any
 */
record HostRule(String name, boolean below, @Nullable AddressRange range, boolean block, int port) {

	/** Reads a line that was checked when the configuration was read. */
	static HostRule parse(String line) {
		AddressRange block = line.contains("/") ? AddressRange.parse(line) : null;
		if (block != null) {
			return new HostRule("", false, block, true, 0);
		}
		int colon = line.lastIndexOf(':');
		boolean ported = colon > line.lastIndexOf(']') && colon > 0;
		int port = ported ? Integer.parseInt(line.substring(colon + 1)) : 0;
		String host = (ported ? line.substring(0, colon) : line).replaceAll("^\\[|]$", "");
		InetAddress literal = AddressRange.literal(host);
		if (literal != null) {
			return new HostRule("", false, AddressRange.of(literal), false, port);
		}
		boolean below = host.startsWith("*.");
		return new HostRule(below ? host.substring(1) : host, below, null, false, port);
	}

	/** Whether what looks like an address is one: by its last label no name is. */
	static boolean isHost(String line) {
		int colon = line.lastIndexOf(':');
		String host = (colon > line.lastIndexOf(']') && colon > 0) ? line.substring(0, colon) : line;
		if (host.startsWith("[")) {
			return AddressRange.literal(host.substring(1, host.length() - 1)) != null;
		}
		String last = host.substring(host.lastIndexOf('.') + 1);
		return last.chars().anyMatch((c) -> c < '0' || c > '9') || (AddressRange.literal(host) instanceof Inet4Address
				&& host.chars().filter((c) -> c == '.').count() == 3);
	}

	boolean covers(CallbackTarget target) {
		if (this.port != 0 && this.port != target.port()) {
			return false;
		}
		if (this.range != null) {
			InetAddress literal = AddressRange.literal(target.host());
			return literal != null && this.range.contains(literal);
		}
		return this.below ? target.host().endsWith(this.name) : target.host().equals(this.name);
	}

	boolean contains(InetAddress address) {
		return this.range != null && this.range.contains(address);
	}

	boolean isRange() {
		return this.block;
	}

}
