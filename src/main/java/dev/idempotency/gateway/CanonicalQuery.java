package dev.idempotency.gateway;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The form that two queries share if they mean the same: parameters sorted by name,
 * parameters of one name in their order, encodings of one octet alike. {@code a} and
 * {@code a=} differ, {@code +}, {@code %20} and {@code %2B} all differ: where it depends
 * on the backend whether two queries are the same, they are not.
 */
final class CanonicalQuery {

	private CanonicalQuery() {
	}

	/**
	 * Brings a query into that form.
	 * @param query the raw query, empty if there is none
	 * @return the canonical query
	 */
	static String of(String query) {
		if (query.isEmpty()) {
			return "";
		}
		List<Parameter> parameters = new ArrayList<>();
		for (String part : query.split("&")) {
			if (!part.isEmpty()) {
				parameters.add(Parameter.of(part));
			}
		}
		return parameters.stream()
			.sorted(Comparator.comparing(Parameter::name))
			.map(Parameter::text)
			.collect(Collectors.joining("&"));
	}

	private record Parameter(String name, String text) {

		static Parameter of(String part) {
			int equals = part.indexOf('=');
			if (equals < 0) {
				String name = PercentEncoding.canonical(part);
				return new Parameter(name, name);
			}
			String name = PercentEncoding.canonical(part.substring(0, equals));
			return new Parameter(name, name + "=" + PercentEncoding.canonical(part.substring(equals + 1)));
		}

	}

}
