package dev.idempotency.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A document of this project.
 *
 * @param file where it is
 * @param text what it says
 */
record Markdown(Path file, String text) {

	private static final Pattern BLOCK = Pattern.compile("(?ms)^```(?<language>\\w+)\\n(?<content>.*?)^```$");

	private static final Pattern LINK = Pattern.compile("\\]\\((?<target>[^)\\s]+)\\)");

	private static final Pattern HEADING = Pattern.compile("(?m)^#+ (?<title>.+)$");

	static Markdown read(Path file) {
		try {
			return new Markdown(file, Files.readString(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The contents of all code blocks in a language, in their order. */
	List<String> blocks(String language) {
		return BLOCK.matcher(this.text)
			.results()
			.filter((block) -> block.group(1).equals(language))
			.map((block) -> block.group(2))
			.toList();
	}

	/** All targets of links that are no web addresses. */
	List<String> relativeLinks() {
		return found(LINK).filter((target) -> !target.matches("(?:https?|mailto):.*")).toList();
	}

	/** The names under which headings can be linked to. */
	List<String> anchors() {
		return found(HEADING)
			.map((title) -> title.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
			.toList();
	}

	/** What stands between two marker comments. */
	String between(String start, String end) {
		int from = this.text.indexOf(start) + start.length();
		int to = this.text.indexOf(end);
		if (from < start.length() || to < from) {
			throw new IllegalStateException(this.file + " lacks " + start + " or " + end);
		}
		return this.text.substring(from, to).strip();
	}

	private Stream<String> found(Pattern pattern) {
		return pattern.matcher(this.text).results().map((MatchResult match) -> match.group(1));
	}

	@Override
	public String toString() {
		return this.file.toString();
	}

}
