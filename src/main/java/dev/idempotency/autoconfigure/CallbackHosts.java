package dev.idempotency.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Reads the hosts to which the end of a job may be posted. */
final class CallbackHosts {

	static final String ACCEPTED = "names, *.NAME for all below a name, IPv4 addresses and IPv6 addresses in "
			+ "brackets, each with or without :PORT, and ranges such as 10.0.0.0/8";

	private static final Pattern HOST = Pattern.compile(
			"(\\*\\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\\d{1,5})?|\\[[0-9a-f:.]+](:\\d{1,5})?|[0-9a-f:.]+/\\d{1,3}");

	private static final Checks CHECKS = Checks.ofFields();

	private CallbackHosts() {
	}

	static List<String> parse(List<String> written) {
		return written.stream().map(CallbackHosts::parse).toList();
	}

	private static String parse(String written) {
		String host = written.strip().toLowerCase(Locale.ROOT);
		if (!HOST.matcher(host).matches()) {
			throw CHECKS.refuse("callback-hosts", written, ACCEPTED);
		}
		return host;
	}

}
