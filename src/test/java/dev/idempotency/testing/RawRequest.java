package dev.idempotency.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A request down to its octets. A {@code Host} and, where there is a body, a
 * {@code Content-Length} are added unless the test says otherwise; nothing else is.
 *
 * @param method the method
 * @param target the target, sent as it stands
 * @param headers header lines in their order
 * @param body the content
 */
public record RawRequest(String method, String target, List<HeaderLine> headers, byte[] body) {

	/** A request without content. */
	public static RawRequest of(String method, String target) {
		return new RawRequest(method, target, List.of(), new byte[0]);
	}

	/** A {@code POST} of JSON. */
	public static RawRequest post(String target, String json) {
		return of("POST", target).header("Content-Type", "application/json").body(json);
	}

	/** Adds the header that carries the key, value as it stands. */
	public RawRequest key(String value) {
		return header("Idempotency-Key", value);
	}

	/** Adds a header line, sent as it stands. */
	public RawRequest header(String name, String value) {
		List<HeaderLine> more = new ArrayList<>(this.headers);
		more.add(new HeaderLine(name, value));
		return new RawRequest(this.method, this.target, List.copyOf(more), this.body);
	}

	/** The content, as UTF-8. */
	public RawRequest body(String text) {
		return body(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * The content; with a {@code Transfer-Encoding} header it has to be framed already.
	 */
	public RawRequest body(byte[] octets) {
		return new RawRequest(this.method, this.target, this.headers, octets.clone());
	}

	/** What goes on the wire. */
	public byte[] bytes() {
		StringBuilder head = new StringBuilder(this.method + " " + this.target + " HTTP/1.1\r\n");
		if (lacks("Host")) {
			head.append("Host: localhost\r\n");
		}
		this.headers.forEach((header) -> head.append(header).append("\r\n"));
		if (this.body.length > 0 && lacks("Content-Length") && lacks("Transfer-Encoding")) {
			head.append("Content-Length: ").append(this.body.length).append("\r\n");
		}
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
		all.writeBytes(this.body);
		return all.toByteArray();
	}

	private boolean lacks(String name) {
		return HeaderLine.values(this.headers, name).isEmpty();
	}

	@Override
	public String toString() {
		return this.method + " " + this.target;
	}

}
