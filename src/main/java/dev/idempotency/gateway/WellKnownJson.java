package dev.idempotency.gateway;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyPolicy.CallerSource;
import dev.idempotency.core.IdempotencyPolicy.FingerprintRules;
import dev.idempotency.core.IdempotencyPolicy.KeyRules;
import dev.idempotency.core.IdempotencyPolicy.Scope;
import dev.idempotency.core.Problem;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The rules of each route for programs. */
final class WellKnownJson {

	private final JsonFactory json = new JsonFactory();

	private final ProblemWriter problems;

	WellKnownJson(ProblemWriter problems) {
		this.problems = problems;
	}

	byte[] write(List<DocumentedRoute> routes) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (JsonGenerator out = this.json.createGenerator(ObjectWriteContext.empty(), bytes)) {
			out.writeStartObject();
			out.writeArrayPropertyStart("routes");
			routes.forEach((route) -> route(out, route));
			out.writeEndArray();
			out.writeArrayPropertyStart("codes");
			for (Problem problem : Problem.values()) {
				code(out, problem);
			}
			out.writeEndArray();
			out.writeEndObject();
		}
		return bytes.toByteArray();
	}

	private static void route(JsonGenerator out, DocumentedRoute route) {
		IdempotencyPolicy policy = route.policy();
		out.writeStartObject();
		out.writeStringProperty("id", route.id());
		key(out, policy.key());
		scope(out, policy.scope());
		fingerprint(out, policy.fingerprint());
		out.writeObjectPropertyStart("retention");
		duration(out, "ttl", policy.retention().ttl());
		duration(out, "unknownTtl", policy.retention().unknownTtl());
		out.writeEndObject();
		out.writeStringProperty("mode", lower(policy.mode()));
		out.writeNumberProperty("maxRequestSize", policy.limits().maxRequestSize());
		out.writeEndObject();
	}

	private static void key(JsonGenerator out, KeyRules key) {
		out.writeStringProperty("header", key.header());
		strings(out, "aliases", key.aliases());
		strings(out, "methods", key.methods().stream().sorted().toList());
		out.writeBooleanProperty("required", key.required());
		out.writeStringProperty("format", lower(key.format()));
		out.writeNumberProperty("maxLength", key.maxLength());
		out.writeStringProperty("syntax", lower(key.syntax()));
	}

	private static void scope(JsonGenerator out, Scope scope) {
		out.writeObjectPropertyStart("scope");
		strings(out, "caller", scope.callers().stream().map(CallerSource::toString).toList());
		out.writeStringProperty("anonymous", scope.anonymousShares() ? "share" : "reject");
		out.writeStringProperty("namespace", scope.namespace());
		out.writeEndObject();
	}

	private static void fingerprint(JsonGenerator out, FingerprintRules rules) {
		out.writeObjectPropertyStart("fingerprint");
		out.writeStringProperty("mode", rules.json() ? "json" : "bytes");
		strings(out, "headers", rules.headers());
		strings(out, "exclude", rules.exclude());
		out.writeEndObject();
	}

	private static void duration(JsonGenerator out, String name, Duration duration) {
		out.writeStringProperty(name, duration.toString());
		out.writeNumberProperty(name + "Seconds", duration.toSeconds());
	}

	private void code(JsonGenerator out, Problem problem) {
		out.writeStartObject();
		out.writeStringProperty("code", problem.code());
		out.writeStringProperty("type", this.problems.type(problem));
		out.writeNumberProperty("status", problem.status());
		out.writeStringProperty("title", problem.title());
		out.writeStringProperty("detail", problem.detail());
		out.writeStringProperty("outcome", ProblemGuide.outcome(problem));
		out.writeStringProperty("retryable", ProblemGuide.retryable(problem));
		out.writeStringProperty("key", ProblemGuide.nextKey(problem));
		out.writeEndObject();
	}

	private static void strings(JsonGenerator out, String name, Collection<String> values) {
		out.writeArrayPropertyStart(name);
		values.forEach(out::writeString);
		out.writeEndArray();
	}

	private static String lower(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

}
