package dev.idempotency.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idempotency.core.CallbackTarget;

/** Reads the hosts to which the end of a job may be posted. */
final class CallbackHosts {

	static final String ACCEPTED = "names, *.NAME for all below a name of two labels or more, IPv4 addresses and IPv6 "
			+ "addresses in brackets, each with or without :PORT from 1 to 65535, and ranges such as 10.0.0.0/8";

	private static final String LABEL = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";

	/** Behind {@code *.} one label alone would be a whole top-level domain. */
	private static final Pattern HOST = Pattern
		.compile("(?:\\*\\.%1$s(?:\\.%1$s)+|%1$s(?:\\.%1$s)*|\\[[0-9a-f:.]+])(?::(?<port>\\d{1,5}))?".formatted(LABEL));

	private static final int HIGHEST_PORT = 0xFFFF;

	private static final Checks CHECKS = Checks.ofFields();

	private CallbackHosts() {
	}

	static List<String> parse(List<String> written) {
		return written.stream().map(CallbackHosts::parse).toList();
	}

	private static String parse(String written) {
		String host = written.strip().toLowerCase(Locale.ROOT);
		if (!isHost(host) && !CallbackTarget.isRange(host)) {
			throw CHECKS.refuse("callback-hosts", written, ACCEPTED);
		}
		return host;
	}

	private static boolean isHost(String host) {
		Matcher matcher = HOST.matcher(host);
		if (!matcher.matches() || !CallbackTarget.isHost(host)) {
			return false;
		}
		String port = matcher.group("port");
		return port == null || (Integer.parseInt(port) >= 1 && Integer.parseInt(port) <= HIGHEST_PORT);
	}

}
