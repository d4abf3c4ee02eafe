package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyPolicy.CallerSource;
import dev.idempotency.core.IdempotencyPolicy.FingerprintRules;
import dev.idempotency.core.IdempotencyPolicy.KeyRules;
import dev.idempotency.core.Problem;

import org.springframework.web.util.HtmlUtils;

/** The rules of each route for people. Each problem code is an anchor of its own. */
final class WellKnownHtml {

	private static final String HEAD = """
			<!DOCTYPE html>
			<html lang="en">
			<head>
			<meta charset="utf-8">
			<meta name="viewport" content="width=device-width, initial-scale=1">
			<title>Idempotency</title>
			<style>
			body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
			table { border-collapse: collapse; width: 100% }
			th, td { border-bottom: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top }
			:target { background: #ffd }
			</style>
			</head>
			<body>
			<h1>Idempotency</h1>
			<p>Send a key of your own choice with each operation, and the same key with each retry of it:
			the operation is carried out once, and a retry gets the first answer again.</p>
			<h2>Routes</h2>
			""";

	private static final String CODES = """
			<h2>Problems</h2>
			<table>
			<tr><th>Code</th><th>Status</th><th>Meaning</th><th>Outcome</th><th>Same request again?</th><th>Key</th></tr>
			""";

	private static final String FOOT = """
			</table>
			</body>
			</html>
			""";

	byte[] write(List<DocumentedRoute> routes) {
		StringBuilder page = new StringBuilder(HEAD);
		if (routes.isEmpty()) {
			page.append("<p>No route is protected.</p>\n");
		}
		routes.forEach((route) -> route(page, route));
		page.append(CODES);
		for (Problem problem : Problem.values()) {
			code(page, problem);
		}
		return page.append(FOOT).toString().getBytes(StandardCharsets.UTF_8);
	}

	private static void route(StringBuilder page, DocumentedRoute route) {
		IdempotencyPolicy policy = route.policy();
		KeyRules key = policy.key();
		page.append("<h3>").append(escaped(route.id())).append("</h3>\n<table>\n");
		row(page, "Header", joined(key.header(), key.aliases()));
		row(page, "Required", key.required() ? "yes" : "no: without a key nothing is protected");
		row(page, "Methods", key.methods().stream().sorted().collect(Collectors.joining(", ")));
		row(page, "Format",
				lower(key.format()) + ", at most " + key.maxLength() + " characters, syntax " + lower(key.syntax()));
		row(page, "Keys belong to", scope(policy));
		row(page, "Same request", fingerprint(policy.fingerprint()));
		row(page, "Kept for", duration(policy.retention().ttl()) + " from completion; "
				+ duration(policy.retention().unknownTtl()) + " where the outcome is unknown");
		page.append("</table>\n");
	}

	private static String joined(String header, List<String> aliases) {
		return aliases.isEmpty() ? header : header + ", also " + String.join(", ", aliases);
	}

	private static String scope(IdempotencyPolicy policy) {
		String callers = policy.scope()
			.callers()
			.stream()
			.map(CallerSource::toString)
			.collect(Collectors.joining(", else "));
		String anonymous = policy.scope().anonymousShares() ? "all others share theirs" : "all others are refused";
		return "the caller, by " + callers + "; " + anonymous + "; namespace " + policy.scope().namespace();
	}

	private static String fingerprint(FingerprintRules rules) {
		StringBuilder text = new StringBuilder("query, and body by ").append(rules.json() ? "JSON meaning" : "bytes");
		if (!rules.exclude().isEmpty()) {
			text.append(", without ").append(String.join(", ", rules.exclude()));
		}
		if (!rules.headers().isEmpty()) {
			text.append("; headers ").append(String.join(", ", rules.headers()));
		}
		return text.toString();
	}

	private static String duration(Duration duration) {
		return duration + " (" + duration.toSeconds() + " s)";
	}

	private static void code(StringBuilder page, Problem problem) {
		page.append("<tr id=\"").append(problem.code()).append("\"><td><code>").append(problem.code());
		page.append("</code></td><td>").append(problem.status());
		page.append("</td><td>").append(escaped(problem.title() + ". " + problem.detail()));
		page.append("</td><td>").append(escaped(ProblemGuide.outcome(problem)));
		page.append("</td><td>").append(escaped(ProblemGuide.retryable(problem)));
		page.append("</td><td>").append(escaped(ProblemGuide.nextKey(problem)));
		page.append("</td></tr>\n");
	}

	private static void row(StringBuilder page, String name, String text) {
		page.append("<tr><th>").append(name).append("</th><td>").append(escaped(text)).append("</td></tr>\n");
	}

	private static String escaped(String text) {
		return HtmlUtils.htmlEscape(text, "UTF-8");
	}

	private static String lower(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

}
