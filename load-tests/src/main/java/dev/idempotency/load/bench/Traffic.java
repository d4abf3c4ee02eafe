package dev.idempotency.load.bench;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * The requests of one case, encoded beforehand but for their keys.
 */
final class Traffic {

	private static final AtomicLong NEXT = new AtomicLong(System.currentTimeMillis() << 20);

	private final byte[] head;

	private final byte[] body;

	private final Keys keys;

	private Traffic(byte[] head, byte[] body, Keys keys) {
		this.head = head;
		this.body = body;
		this.keys = keys;
	}

	/**
	 * Requests that differ in nothing but their key.
	 * @param target path and query
	 * @param size of the body
	 * @param filling what the body consists of; another one is another payment
	 * @param keys where the keys come from
	 */
	static Traffic of(String target, int size, char filling, Keys keys) {
		String head = "POST " + target + " HTTP/1.1\r\nHost: gateway.test\r\nAccept: application/json\r\n"
				+ "User-Agent: bench/1\r\nAuthorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJiZW5jaCJ9.\r\n"
				+ "Content-Type: application/json\r\nContent-Length: " + size + "\r\nIdempotency-Key: ";
		String body = "{\"note\":\"" + String.valueOf(filling).repeat(size - 11) + "\"}";
		return new Traffic(head.getBytes(StandardCharsets.US_ASCII), body.getBytes(StandardCharsets.US_ASCII), keys);
	}

	ByteBuf next() {
		byte[] key = this.keys.next().getBytes(StandardCharsets.US_ASCII);
		ByteBuf request = ByteBufAllocator.DEFAULT.directBuffer(this.head.length + key.length + 4 + this.body.length);
		return request.writeBytes(this.head)
			.writeBytes(key)
			.writeInt(('\r' << 24) | ('\n' << 16) | ('\r' << 8) | '\n')
			.writeBytes(this.body);
	}

	/** Where keys come from. */
	interface Keys {

		String next();

		/** A key that nobody has used, of the length of a UUID. */
		static Keys fresh() {
			return () -> String.format("%036x", NEXT.incrementAndGet());
		}

		/** Always the same key. */
		static Keys constant(String key) {
			return () -> key;
		}

	}

}
