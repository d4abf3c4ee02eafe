package dev.idempotency.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes one {@link Reply} to a connection, byte for byte as the script has it. */
final class Replying {

	private final OutputStream out;

	private final Pause pause;

	Replying(OutputStream out, Pause pause) {
		this.out = out;
		this.pause = pause;
	}

	void write(Reply reply, String method) throws IOException {
		for (Reply early : reply.interim) {
			head(early.status, early.headers);
		}
		boolean bodiless = "HEAD".equals(method) || reply.status == 204 || reply.status == 304;
		head(reply.status, framed(reply));
		if (!bodiless) {
			this.pause.until(reply.bodyGate);
			content(reply);
		}
	}

	void interim(int status) throws IOException {
		head(status, List.of());
	}

	private List<HeaderLine> framed(Reply reply) {
		boolean lengthless = reply.status == 204 || reply.status == 304;
		if (reply.framing == Reply.Framing.CHUNKED) {
			return reply.header("Transfer-Encoding", "chunked").headers;
		}
		if (reply.framing == Reply.Framing.LENGTH && (!lengthless || reply.length != null)) {
			String length = (reply.length != null) ? reply.length : Integer.toString(reply.body.length);
			return reply.header("Content-Length", length).headers;
		}
		return reply.headers;
	}

	private void head(int status, List<HeaderLine> headers) throws IOException {
		StringBuilder text = new StringBuilder("HTTP/1.1 ").append(status).append(" Scripted\r\n");
		headers.forEach((header) -> text.append(header).append("\r\n"));
		this.out.write(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
		this.out.flush();
	}

	private void content(Reply reply) throws IOException {
		int end = Math.min(reply.body.length, reply.cutAfter);
		for (int at = 0; at < end; at += reply.pieceSize) {
			int size = Math.min(reply.pieceSize, end - at);
			piece(reply, at, size);
			this.pause.during(reply.drip);
			this.pause.until(reply.pieceGate);
			if (reply.pieceSize == Integer.MAX_VALUE) {
				break;
			}
		}
		if (reply.framing == Reply.Framing.CHUNKED && reply.cutAfter == Integer.MAX_VALUE) {
			this.out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		}
		this.out.flush();
	}

	private void piece(Reply reply, int at, int size) throws IOException {
		boolean chunked = reply.framing == Reply.Framing.CHUNKED;
		if (chunked) {
			this.out.write((Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.US_ASCII));
		}
		this.out.write(reply.body, at, size);
		if (chunked) {
			this.out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
		}
		this.out.flush();
	}

}
