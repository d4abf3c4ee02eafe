package dev.idempotency.autoconfigure;

import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.regex.Pattern;

import org.springframework.util.unit.DataSize;

/**
 * Refuses values that cannot be, each with its name, what was written and what is
 * accepted.
 *
 * @param subject what stands in front of a name in a message
 */
record Checks(String subject) {

	/** Longer than any record should live, and far from overflowing in nanoseconds. */
	private static final Duration LONGEST = Duration.ofDays(3650);

	/** A token (RFC 9110, section 5.6.2). */
	private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	/** Of final answers. */
	private static final int LOWEST_STATUS = 200;

	/** Below it the backend says that it did what was asked. */
	private static final int LOWEST_REFUSAL = 300;

	private static final int HIGHEST_STATUS = 599;

	static Checks ofSettings() {
		return new Checks("Setting '" + IdempotencyProperties.PREFIX + ".");
	}

	static Checks ofFields() {
		return new Checks("field '");
	}

	RejectedValueException refuse(String name, String reason) {
		return new RejectedValueException(this.subject + name + "' " + reason);
	}

	RejectedValueException refuse(String name, Object value, String accepted) {
		return refuse(name, "cannot be '" + Printed.written(value) + "'; accepted: " + accepted);
	}

	void duration(String name, Duration value, Duration least) {
		if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
			throw refuse(name, value, "a duration from " + Printed.of(least) + " to " + LONGEST.toDays() + "d");
		}
	}

	void size(String name, DataSize value, DataSize least) {
		if (value.compareTo(least) < 0) {
			throw refuse(name, value, "a size of " + Printed.of(least) + " or more");
		}
	}

	void size(String name, DataSize value, DataSize least, DataSize most) {
		if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
			throw refuse(name, value, "a size from " + Printed.of(least) + " to " + Printed.of(most));
		}
	}

	void range(String name, long value, long least, long most) {
		if (value < least || value > most) {
			throw refuse(name, value, "a whole number from " + least + " to " + most);
		}
	}

	void range(String name, double value, double least, double most) {
		if (!(value >= least && value <= most)) {
			throw refuse(name, value, "a number from " + least + " to " + most);
		}
	}

	void statuses(String name, Collection<Integer> values) {
		statuses(name, values, LOWEST_STATUS);
	}

	/** Such as may mean that nothing was done. */
	void refusals(String name, Collection<Integer> values) {
		statuses(name, values, LOWEST_REFUSAL);
	}

	private void statuses(String name, Collection<Integer> values, int lowest) {
		for (int value : values) {
			if (value < lowest || value > HIGHEST_STATUS) {
				throw refuse(name, value, "status codes from " + lowest + " to " + HIGHEST_STATUS);
			}
		}
	}

	static boolean isToken(String value) {
		return TOKEN.matcher(value).matches();
	}

	void headerName(String name, String value) {
		if (!isToken(value)) {
			throw refuse(name, value, "the name of a header");
		}
	}

	void headerNames(String name, Collection<String> values) {
		values.forEach((value) -> headerName(name, value));
	}

	/** The braces of a key in Redis choose its slot, so none may stand before them. */
	void withoutBraces(String name, String value) {
		if (value.indexOf('{') >= 0 || value.indexOf('}') >= 0) {
			throw refuse(name, value, "text without braces");
		}
	}

	void path(String name, String value) {
		if (!value.matches("(/[A-Za-z0-9._~-]+)+")) {
			throw refuse(name, value, "a path such as /idempotency/jobs, without a slash at its end");
		}
	}

	void uriPrefix(String name, String value) {
		try {
			URI.create(value + "code");
		}
		catch (IllegalArgumentException ex) {
			throw refuse(name, value, "the beginning of a URI");
		}
	}

}
