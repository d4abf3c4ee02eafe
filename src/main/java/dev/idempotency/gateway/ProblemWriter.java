package dev.idempotency.gateway;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

import dev.idempotency.core.Answer;
import dev.idempotency.core.Problem;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Turns the gateway's own answers into problem details (RFC 9457), whatever the client
 * accepts: a client that cannot read them still has the status.
 */
final class ProblemWriter {

	/** What problem types begin with unless configured otherwise. */
	static final String DEFAULT_BASE = "urn:idempotency-gateway:problem:";

	private static final String PATH_MARKS = "-._~!$&'()*+,;=:@/%";

	private static final HexFormat HEX = HexFormat.of().withUpperCase();

	private final JsonFactory json = new JsonFactory();

	private final String base;

	private final String documentationUri;

	/**
	 * A writer.
	 * @param base what problem types begin with; a slash is put between if it ends like a
	 * path segment
	 * @param documentationUri where the route's rules are explained
	 */
	ProblemWriter(String base, String documentationUri) {
		this.base = endsOpen(base) ? base : base + "/";
		this.documentationUri = documentationUri;
	}

	/**
	 * Writes a problem with its general text.
	 * @param refused what is wrong
	 * @param path raw path of the request as the client sent it
	 * @return status, headers and body, without length and without the echo of the key
	 */
	StoredResponse write(Answer.Refused refused, String path) {
		return write(refused, path, refused.problem().detail());
	}

	/**
	 * Writes a problem with a text of its own.
	 * @param refused what is wrong
	 * @param path raw path of the request as the client sent it
	 * @param detail what exactly; holds no key, body or credential
	 * @return status, headers and body, without length and without the echo of the key
	 */
	StoredResponse write(Answer.Refused refused, String path, String detail) {
		List<Header> headers = new ArrayList<>();
		headers.add(new Header("Content-Type", "application/problem+json"));
		headers.add(new Header("Cache-Control", "no-store"));
		headers.add(new Header("Link", "<" + this.documentationUri + ">; rel=\"describedby\""));
		Duration retryAfter = refused.retryAfter();
		if (retryAfter != null) {
			headers.add(new Header("Retry-After", Long.toString(wholeSeconds(retryAfter))));
		}
		return new StoredResponse(refused.problem().status(), headers, body(refused, path, detail));
	}

	/**
	 * The type of a problem.
	 * @param problem the problem
	 * @return its URI
	 */
	String type(Problem problem) {
		return this.base + problem.code();
	}

	private byte[] body(Answer.Refused refused, String path, String detail) {
		Problem problem = refused.problem();
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (JsonGenerator body = this.json.createGenerator(ObjectWriteContext.empty(), out)) {
			body.writeStartObject();
			body.writeStringProperty("type", type(problem));
			body.writeStringProperty("title", problem.title());
			body.writeNumberProperty("status", problem.status());
			body.writeStringProperty("detail", detail);
			body.writeStringProperty("instance", instance(path));
			body.writeStringProperty("code", problem.code());
			body.writeStringProperty("outcome", outcome(refused.effect()));
			body.writeBooleanProperty("retryable", refused.retryable());
			body.writeEndObject();
		}
		return out.toByteArray();
	}

	static String outcome(Answer.Effect effect) {
		return effect.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** At least one, so that no client takes it for "at once"; never too early. */
	private static long wholeSeconds(Duration duration) {
		long seconds = duration.plusSeconds(1).minusNanos(1).getSeconds();
		return Math.max(seconds, 1);
	}

	/**
	 * The path as a URI reference: nothing in it can end the string or the line, and two
	 * slashes at its beginning do not become a host (RFC 3986, section 4.2).
	 */
	private static String instance(String path) {
		StringBuilder out = new StringBuilder(path.startsWith("//") ? "/." : "");
		path.codePoints().forEach((c) -> {
			if ((c < 0x80 && Character.isLetterOrDigit(c)) || PATH_MARKS.indexOf(c) >= 0) {
				out.append((char) c);
				return;
			}
			for (byte octet : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
				out.append('%').append(HEX.toHighHexDigit(octet)).append(HEX.toLowHexDigit(octet));
			}
		});
		return out.toString();
	}

	private static boolean endsOpen(String base) {
		return base.isEmpty() || !Character.isLetterOrDigit(base.charAt(base.length() - 1));
	}

}
