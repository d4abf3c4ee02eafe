package dev.idempotency.gateway;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A set of header names, regardless of case; a star at the end stands for any ending. */
final class HeaderNames {

	private final Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

	private final List<String> beginnings = new ArrayList<>();

	private HeaderNames(Collection<String> patterns) {
		for (String pattern : patterns) {
			if (pattern.endsWith("*")) {
				this.beginnings.add(pattern.substring(0, pattern.length() - 1));
			}
			else {
				this.names.add(pattern);
			}
		}
	}

	static HeaderNames of(Collection<String> patterns) {
		return new HeaderNames(patterns);
	}

	static HeaderNames of(String... patterns) {
		return new HeaderNames(List.of(patterns));
	}

	boolean contains(String name) {
		if (this.names.contains(name)) {
			return true;
		}
		for (String beginning : this.beginnings) {
			if (name.regionMatches(true, 0, beginning, 0, beginning.length())) {
				return true;
			}
		}
		return false;
	}

}
