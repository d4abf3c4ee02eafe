package dev.idempotency.gateway;

import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import dev.idempotency.core.IdempotencyKey;
import dev.idempotency.core.IdempotencyPolicy.KeyFormat;
import dev.idempotency.core.IdempotencyPolicy.KeyRules;
import dev.idempotency.core.IdempotencyPolicy.KeySyntax;

import org.springframework.http.HttpHeaders;

/**
 * Finds the idempotency key of a request (draft-ietf-httpapi-idempotency-key-header-07,
 * section 2.1).
 *
 * <p>
 * A key comes as a structured-field string (RFC 9651) or, where the policy is lenient,
 * bare. Both spellings of the same characters are one key. There is exactly one line of
 * it; an alias may repeat the canonical header but not contradict it.
 */
final class IdempotencyKeyParser {

	private static final Pattern UUID = Pattern
		.compile("[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}");

	private final KeyRules rules;

	private final List<String> names;

	IdempotencyKeyParser(KeyRules rules) {
		this.rules = rules;
		this.names = names(rules);
	}

	/** The headers that may carry a key, the canonical one first, each once. */
	static List<String> names(KeyRules rules) {
		Set<String> seen = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		List<String> names = new ArrayList<>();
		if (seen.add(rules.header())) {
			names.add(rules.header());
		}
		rules.aliases().stream().filter(seen::add).forEach(names::add);
		return List.copyOf(names);
	}

	/**
	 * Looks for the key.
	 * @param headers the request's headers
	 * @return the key, or why there is none
	 */
	PresentedKey parse(HttpHeaders headers) {
		PresentedKey found = new PresentedKey.Absent();
		for (String name : this.names) {
			PresentedKey next = parse(name, headers.getOrEmpty(name));
			if (next instanceof PresentedKey.Invalid) {
				return next;
			}
			if (next instanceof PresentedKey.Present present) {
				if (found instanceof PresentedKey.Present earlier && !earlier.key().equals(present.key())) {
					return new PresentedKey.Invalid(
							"The headers " + earlier.headerName() + " and " + present.headerName()
									+ " carry different keys. Accepted is one of them, or the same key in both.");
				}
				found = (found instanceof PresentedKey.Present) ? found : present;
			}
		}
		return found;
	}

	private PresentedKey parse(String name, List<String> lines) {
		if (lines.isEmpty()) {
			return new PresentedKey.Absent();
		}
		if (lines.size() > 1) {
			return invalid(name, "came more than once");
		}
		String raw = trimmed(lines.get(0));
		if (raw.isEmpty()) {
			return invalid(name, "is empty");
		}
		try {
			return checked(name, raw, decoded(raw));
		}
		catch (ParseException ex) {
			return invalid(name, "cannot be read: " + ex.getMessage());
		}
	}

	private String decoded(String raw) throws ParseException {
		if (this.rules.syntax() == KeySyntax.STRICT || raw.charAt(0) == '"') {
			return StructuredFieldString.decode(raw);
		}
		for (int i = 0; i < raw.length(); i++) {
			if (!isBare(raw.charAt(i))) {
				throw new ParseException("it has characters that are accepted only between quotes, or not at all", i);
			}
		}
		return raw;
	}

	private PresentedKey checked(String name, String raw, String key) {
		if (key.isEmpty()) {
			return invalid(name, "is empty");
		}
		if (key.length() > this.rules.maxLength()) {
			return invalid(name, "is too long");
		}
		if (this.rules.format() == KeyFormat.UUID && !UUID.matcher(key).matches()) {
			return invalid(name, "is not a uuid");
		}
		return new PresentedKey.Present(new IdempotencyKey(key), name, raw);
	}

	private PresentedKey invalid(String name, String complaint) {
		return new PresentedKey.Invalid("The header " + name + " " + complaint + ". Accepted is one " + accepted());
	}

	private String accepted() {
		String what = (this.rules.format() == KeyFormat.UUID) ? "uuid (8-4-4-4-12 hexadecimal digits)"
				: "key of 1 to " + this.rules.maxLength() + " characters";
		return what + ((this.rules.syntax() == KeySyntax.STRICT)
				? ", in quotes: printable ASCII, a backslash before each quote and backslash (RFC 9651)."
				: ", either in quotes (RFC 9651) or bare: visible ASCII without quote, comma, semicolon and backslash.");
	}

	private static boolean isBare(char c) {
		return c > ' ' && c <= '~' && "\",;\\".indexOf(c) < 0;
	}

	/** Takes off optional white space as HTTP means it, and nothing else. */
	private static String trimmed(String value) {
		int begin = 0;
		int end = value.length();
		while (begin < end && isWhiteSpace(value.charAt(begin))) {
			begin++;
		}
		while (end > begin && isWhiteSpace(value.charAt(end - 1))) {
			end--;
		}
		return value.substring(begin, end);
	}

	private static boolean isWhiteSpace(char c) {
		return c == ' ' || c == '\t';
	}

}
