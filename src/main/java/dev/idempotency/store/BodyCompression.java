package dev.idempotency.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;

/**
 * Makes bodies of answers smaller, by gzip (RFC 1952) at its fastest, where that is worth
 * it: text of more than {@value #SMALL} octets that is not compressed already.
 */
final class BodyCompression {

	/** Up to here the gain is not worth the time. */
	static final int SMALL = 1024;

	/** Name of the line that says so; none of HTTP's can begin with a colon. */
	static final String MARK = ":gzip";

	private static final List<String> TEXTS = List.of("text/", "json", "xml", "javascript", "x-www-form-urlencoded");

	private BodyCompression() {
	}

	static StoredResponse compress(StoredResponse answer) {
		byte[] body = answer.body();
		if (body == null || body.length <= SMALL || !isText(answer)) {
			return answer;
		}
		byte[] small = gzip(body);
		return (small.length < body.length)
				? Marked.with(MARK, Integer.toString(body.length), answer.status(), answer.headers(), small) : answer;
	}

	static StoredResponse expand(StoredResponse answer) {
		String length = Marked.value(answer, MARK);
		return (length == null) ? answer : new StoredResponse(answer.status(), Marked.without(answer, MARK),
				gunzip(answer.body(), Integer.parseInt(length)));
	}

	private static boolean isText(StoredResponse answer) {
		boolean text = true;
		for (Header header : answer.headers()) {
			if (header.name().equalsIgnoreCase("Content-Encoding")) {
				return false;
			}
			if (header.name().equalsIgnoreCase("Content-Type")) {
				String type = header.value().toLowerCase(Locale.ROOT);
				text = TEXTS.stream().anyMatch(type::contains);
			}
		}
		return text;
	}

	private static byte[] gzip(byte[] body) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 4);
		try (GZIPOutputStream gzip = new Fast(out)) {
			gzip.write(body);
		}
		catch (IOException ex) {
			throw new IllegalStateException("memory cannot fail to be written", ex);
		}
		return out.toByteArray();
	}

	private static byte[] gunzip(byte @Nullable [] small, int length) {
		if (small == null) {
			throw new UnreadableRecordException("its compressed body is missing");
		}
		try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(small))) {
			// One more than there should be: a length that lies is found out.
			byte[] body = gzip.readNBytes(length + 1);
			if (body.length != length) {
				throw new UnreadableRecordException("its compressed body has another length");
			}
			return body;
		}
		catch (IOException ex) {
			throw new UnreadableRecordException("its compressed body is damaged");
		}
	}

	private static final class Fast extends GZIPOutputStream {

		Fast(ByteArrayOutputStream out) throws IOException {
			super(out);
			this.def.setLevel(Deflater.BEST_SPEED);
		}

	}

}
