package dev.idempotency.gateway;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;

import org.springframework.http.HttpHeaders;

/**
 * Unpacks a stored gzip answer for a client that does not accept gzip (RFC 9110, sections
 * 8.4 and 12.5.3).
 *
 * <p>
 * A retry without {@code Accept-Encoding} accepts anything, and gets the octets that the
 * first request got, unless the answer says that it was chosen by that very header: then
 * the client that was answered first asked for gzip and this one did not.
 */
final class ReplayDecoding {

	private static final int PARTIAL_CONTENT = 206;

	/** Digests of the packed octets say nothing of the unpacked ones. */
	private static final HeaderNames OF_THE_PACKED = HeaderNames.of("Content-Encoding", "Content-Digest", "Repr-Digest",
			"Digest", "Content-MD5", "Accept-Ranges");

	private final int maxSize;

	/**
	 * A decoding.
	 * @param maxSize largest unpacked body, in bytes; a body that would become larger is
	 * replayed as it is stored
	 */
	ReplayDecoding(int maxSize) {
		this.maxSize = maxSize;
	}

	/**
	 * Fits an answer to the client that asks for it again.
	 * @param stored the answer on record
	 * @param request headers of the retry
	 * @return the same, or an unpacked copy
	 */
	StoredResponse fit(StoredResponse stored, HttpHeaders request) {
		byte[] body = stored.body();
		if (body == null || body.length == 0 || stored.status() == PARTIAL_CONTENT || !isGzip(stored)) {
			return stored;
		}
		List<String> accepted = request.getOrEmpty(HttpHeaders.ACCEPT_ENCODING);
		boolean fits = accepted.isEmpty() ? !variesByEncoding(stored) : acceptsGzip(accepted);
		return fits ? stored
				: unpacked(body).map((octets) -> new StoredResponse(stored.status(), headers(stored), octets))
					.orElse(stored);
	}

	private static boolean isGzip(StoredResponse stored) {
		List<String> codings = values(stored, HttpHeaders.CONTENT_ENCODING);
		return codings.size() == 1 && isGzip(codings.get(0));
	}

	private static boolean isGzip(String coding) {
		return coding.equalsIgnoreCase("gzip") || coding.equalsIgnoreCase("x-gzip");
	}

	private static boolean variesByEncoding(StoredResponse stored) {
		return values(stored, HttpHeaders.VARY).stream()
			.anyMatch((name) -> name.equalsIgnoreCase(HttpHeaders.ACCEPT_ENCODING) || name.equals("*"));
	}

	private static boolean acceptsGzip(List<String> lines) {
		boolean anything = false;
		for (String line : lines) {
			for (String element : line.split(",")) {
				String[] parts = element.split(";", 2);
				String coding = parts[0].strip();
				boolean wanted = parts.length == 1 || !isZero(parts[1]);
				if (isGzip(coding)) {
					return wanted;
				}
				anything |= coding.equals("*") && wanted;
			}
		}
		return anything;
	}

	private static boolean isZero(String weight) {
		return weight.strip().matches("[qQ]\\s*=\\s*0(\\.0*)?");
	}

	private Optional<byte[]> unpacked(byte[] body) {
		try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
			byte[] octets = in.readNBytes(this.maxSize);
			return (in.read() < 0) ? Optional.of(octets) : Optional.empty();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

	private static List<Header> headers(StoredResponse stored) {
		List<Header> headers = new ArrayList<>();
		for (Header header : stored.headers()) {
			if (header.name().equalsIgnoreCase(HttpHeaders.ETAG) && header.value().startsWith("\"")) {
				headers.add(new Header(header.name(), "W/" + header.value()));
			}
			else if (!OF_THE_PACKED.contains(header.name())) {
				headers.add(header);
			}
		}
		if (!variesByEncoding(stored)) {
			headers.add(new Header(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING));
		}
		return headers;
	}

	private static List<String> values(StoredResponse stored, String name) {
		List<String> values = new ArrayList<>();
		for (Header header : stored.headers()) {
			if (header.name().equalsIgnoreCase(name)) {
				for (String value : header.value().split(",")) {
					values.add(value.strip());
				}
			}
		}
		return values;
	}

}
