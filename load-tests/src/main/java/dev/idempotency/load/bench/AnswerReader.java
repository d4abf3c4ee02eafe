package dev.idempotency.load.bench;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Reads answers with a {@code Content-Length}, which all are here, and throws their
 * bodies away. A full HTTP parser would take processor time from the gateway.
 */
final class AnswerReader {

	private static final int LONGEST_HEAD = 16 * 1024;

	private static final int SHOWN = 600;

	private static final String LENGTH = "\r\ncontent-length:";

	private final byte[] head = new byte[LONGEST_HEAD];

	private int headLength;

	private int status;

	private long missing;

	/**
	 * Takes what came.
	 * @return the status of an answer that is complete now, or 0
	 */
	int read(ByteBuf received) {
		while (received.isReadable()) {
			if (this.status == 0 && !readHead(received)) {
				return 0;
			}
			int skipped = (int) Math.min(this.missing, received.readableBytes());
			received.skipBytes(skipped);
			this.missing -= skipped;
			if (this.missing == 0) {
				return end(received);
			}
		}
		return 0;
	}

	/** Nothing was asked for yet that could be answered behind it. */
	private int end(ByteBuf received) {
		if (received.isReadable()) {
			throw new IllegalStateException("bytes that nobody has asked for, behind an answer with status "
					+ this.status + ": " + shown(received) + ", that answer's head: " + shown(head()));
		}
		int complete = this.status;
		this.status = 0;
		this.headLength = 0;
		return complete;
	}

	private boolean readHead(ByteBuf received) {
		while (received.isReadable()) {
			if (this.headLength == LONGEST_HEAD) {
				throw new IllegalStateException("a head of more than " + LONGEST_HEAD + " bytes: " + shown(head()));
			}
			byte octet = received.readByte();
			this.head[this.headLength++] = octet;
			if (octet == '\n' && this.headLength > 4 && this.head[this.headLength - 3] == '\n') {
				parse(head().toString(StandardCharsets.ISO_8859_1));
				return true;
			}
		}
		return false;
	}

	private ByteBuf head() {
		return Unpooled.wrappedBuffer(this.head, 0, this.headLength);
	}

	/** The first of these bytes on one line, as a programmer would write them. */
	static String shown(ByteBuf bytes) {
		String text = bytes.toString(bytes.readerIndex(), Math.min(bytes.readableBytes(), SHOWN),
				StandardCharsets.ISO_8859_1);
		return bytes.readableBytes() + " bytes \"" + text.replace("\r", "\\r").replace("\n", "\\n") + '"';
	}

	private void parse(String text) {
		if (!text.startsWith("HTTP/1.1 ")) {
			throw new IllegalStateException("not the head of an answer: " + shown(head()));
		}
		this.status = Integer.parseInt(text.substring(9, 12));
		int length = text.toLowerCase(Locale.ROOT).indexOf(LENGTH);
		if (length < 0) {
			throw new IllegalStateException("an answer without a length: " + shown(head()));
		}
		int from = length + LENGTH.length();
		this.missing = Long.parseLong(text.substring(from, text.indexOf('\r', from)).trim());
	}

}
