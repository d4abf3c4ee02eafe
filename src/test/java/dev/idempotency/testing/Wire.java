package dev.idempotency.testing;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads HTTP/1.1 from a socket, keeps a copy of every octet, and notes what is wrong with
 * it instead of being lenient in silence (RFC 9112).
 */
final class Wire {

	private static final int LONGEST_LINE = 1 << 20;

	private final InputStream in;

	private ByteArrayOutputStream seen = new ByteArrayOutputStream();

	private List<String> problems = new ArrayList<>();

	Wire(InputStream in) {
		this.in = in;
	}

	/** Forgets the copy and the problems: the next message begins. */
	void begin() {
		this.seen = new ByteArrayOutputStream();
		this.problems = new ArrayList<>();
	}

	/** Every octet of the present message so far. */
	byte[] seen() {
		return this.seen.toByteArray();
	}

	List<String> problems() {
		return this.problems;
	}

	void problem(String what) {
		this.problems.add(what);
	}

	/** A line without its end; {@link EOFException} if the stream ends before that. */
	String line() throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int octet = next(); octet != '\n'; octet = next()) {
			line.write(octet);
			if (line.size() > LONGEST_LINE) {
				throw new IOException("a line of more than " + LONGEST_LINE + " octets");
			}
		}
		String text = line.toString(StandardCharsets.ISO_8859_1);
		if (!text.endsWith("\r")) {
			problem("a line that ends without CR");
			return text;
		}
		return text.substring(0, text.length() - 1);
	}

	/** Header or trailer lines up to the empty one. */
	List<HeaderLine> headers() throws IOException {
		List<HeaderLine> headers = new ArrayList<>();
		for (String line = line(); !line.isEmpty(); line = line()) {
			HeaderLine header = HeaderLine.parse(line);
			if (header.name().isEmpty() || !header.name().equals(header.name().strip())) {
				problem("not a header line: " + line);
			}
			headers.add(header);
		}
		return headers;
	}

	/**
	 * The content as its headers frame it; what came of it goes to the sink even if the
	 * rest does not come.
	 * @param headers the headers of the message
	 * @param untilEnd whether a message without framing headers lasts until the
	 * connection ends
	 * @param sink takes the octets of the content
	 */
	void content(List<HeaderLine> headers, boolean untilEnd, ByteArrayOutputStream sink) throws IOException {
		List<String> codings = HeaderLine.values(headers, "Transfer-Encoding");
		List<String> lengths = HeaderLine.values(headers, "Content-Length");
		if (!codings.isEmpty() && !lengths.isEmpty()) {
			problem("Transfer-Encoding and Content-Length");
		}
		if (lengths.size() > 1) {
			problem("Content-Length twice");
		}
		if (!codings.isEmpty()) {
			chunks(sink);
		}
		else if (!lengths.isEmpty()) {
			exactly(number(lengths.get(0), 10), sink);
		}
		else if (untilEnd) {
			rest(sink);
		}
	}

	private void chunks(ByteArrayOutputStream sink) throws IOException {
		for (long size = number(line().split(";", 2)[0], 16); size > 0; size = number(line().split(";", 2)[0], 16)) {
			exactly(size, sink);
			if (!line().isEmpty()) {
				problem("a chunk longer than its size");
			}
		}
		headers();
	}

	private void exactly(long count, ByteArrayOutputStream sink) throws IOException {
		for (long left = count; left > 0; left--) {
			sink.write(next());
		}
	}

	private void rest(ByteArrayOutputStream sink) throws IOException {
		for (int octet = this.in.read(); octet >= 0; octet = this.in.read()) {
			this.seen.write(octet);
			sink.write(octet);
		}
	}

	private long number(String text, int radix) throws IOException {
		try {
			return Long.parseLong(text.strip(), radix);
		}
		catch (NumberFormatException ex) {
			throw new IOException("not a length: " + text, ex);
		}
	}

	private int next() throws IOException {
		int octet = this.in.read();
		if (octet < 0) {
			throw new EOFException("the connection ended after " + this.seen.size() + " octets of a message");
		}
		this.seen.write(octet);
		return octet;
	}

}
