package dev.idempotency.jobs;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.Job;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import dev.idempotency.gateway.JobJson;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What is posted: the job as its page shows it, and the backend's answer, its content as
 * text where it is UTF-8 and in base64 where not.
 */
final class CallbackBody {

	private static final JsonFactory JSON = new JsonFactory();

	private CallbackBody() {
	}

	static byte[] write(IdempotencyRecord record, Job job) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
			out.writeStartObject();
			JobJson.write(out, record, job);
			StoredResponse response = record.response();
			if (response != null && response.status() > 0) {
				result(out, response);
			}
			out.writeEndObject();
		}
		return bytes.toByteArray();
	}

	private static void result(JsonGenerator out, StoredResponse response) {
		out.writeObjectPropertyStart("result");
		out.writeNumberProperty("status", response.status());
		out.writeArrayPropertyStart("headers");
		for (Header header : response.headers()) {
			out.writeStartArray();
			out.writeString(header.name());
			out.writeString(header.value());
			out.writeEndArray();
		}
		out.writeEndArray();
		byte[] body = response.body();
		if (body != null) {
			String text = text(body);
			if (text != null) {
				out.writeStringProperty("body", text);
			}
			else {
				out.writeStringProperty("body_base64", Base64.getEncoder().encodeToString(body));
			}
		}
		out.writeEndObject();
	}

	private static @Nullable String text(byte[] octets) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets)).toString();
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

}
