package dev.idempotency.app;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import dev.idempotency.testing.HeaderLine;
import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;

/**
 * A {@code curl} command as a document shows it, and what it prints.
 *
 * @param arguments its arguments, without the quotes
 * @param output what the document says it prints
 */
record CurlCommand(List<String> arguments, String output) {

	private static final Pattern ARGUMENT = Pattern.compile("'([^']*)'|(\\S+)");

	/** From a block of a console: the command after {@code $}, then its output. */
	static CurlCommand parse(String block) {
		String[] parts = block.split("\n", 2);
		List<String> arguments = ARGUMENT.matcher(parts[0])
			.results()
			.map((MatchResult found) -> (found.group(1) != null) ? found.group(1) : found.group(2))
			.skip(2)
			.toList();
		return new CurlCommand(arguments, parts[1].strip());
	}

	/** Sends it to this port of the loopback interface instead of the one it names. */
	RawResponse run(int port) {
		String target = this.arguments.stream()
			.filter((argument) -> argument.startsWith("localhost:8080"))
			.findFirst()
			.orElseThrow()
			.substring("localhost:8080".length());
		String body = after("-d");
		RawRequest request = RawRequest.of(body.isEmpty() ? "GET" : "POST", target).body(body);
		for (int i = 0; i < this.arguments.size(); i++) {
			if (this.arguments.get(i).equals("-H")) {
				String[] header = this.arguments.get(i + 1).split(": ", 2);
				request = request.header(header[0], header[1]);
			}
		}
		return RawHttpClient.exchange(port, request);
	}

	/** Whether it shows the head of the answer too. */
	boolean showsHead() {
		return this.arguments.contains("-si");
	}

	/** The status line and the header lines it shows. */
	List<String> head() {
		return this.output.split("\n\n", 2)[0].lines().toList();
	}

	/** The content it shows. */
	String body() {
		return showsHead() ? this.output.split("\n\n", 2)[1] : this.output;
	}

	/** The header lines of an answer the way {@link #head()} has them. */
	static List<String> lines(RawResponse answer) {
		return answer.headers().stream().map(HeaderLine::toString).toList();
	}

	private String after(String option) {
		int at = this.arguments.indexOf(option);
		return (at < 0) ? "" : this.arguments.get(at + 1);
	}

	@Override
	public String toString() {
		return "curl " + String.join(" ", this.arguments);
	}

}
