package dev.idempotency.testing;

import java.util.List;

/**
 * One header line as it stood on the wire.
 *
 * @param name the name in the spelling that was used
 * @param value the value without the white space around it
 */
public record HeaderLine(String name, String value) {

	/** Splits {@code name: value}; a line without a colon has no name. */
	static HeaderLine parse(String line) {
		int colon = line.indexOf(':');
		return (colon < 0) ? new HeaderLine("", line)
				: new HeaderLine(line.substring(0, colon), line.substring(colon + 1).strip());
	}

	/** All values under a name, whatever its case, in their order. */
	static List<String> values(List<HeaderLine> lines, String name) {
		return lines.stream().filter((line) -> line.name.equalsIgnoreCase(name)).map(HeaderLine::value).toList();
	}

	@Override
	public String toString() {
		return this.name + ": " + this.value;
	}

}
