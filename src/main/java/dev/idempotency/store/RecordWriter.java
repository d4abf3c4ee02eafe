package dev.idempotency.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array with the few kinds of field that {@link RecordCodec} knows. */
final class RecordWriter {

	private byte[] octets;

	private int length;

	RecordWriter(int expected) {
		this.octets = new byte[expected];
	}

	RecordWriter fixed(int width, long number) {
		reserve(width);
		for (int shift = (width - 1) * 8; shift >= 0; shift -= 8) {
			this.octets[this.length++] = (byte) (number >>> shift);
		}
		return this;
	}

	RecordWriter number(int number) {
		reserve(5);
		int rest = number;
		while (rest > 0x7F) {
			this.octets[this.length++] = (byte) (rest & 0x7F | 0x80);
			rest >>>= 7;
		}
		this.octets[this.length++] = (byte) rest;
		return this;
	}

	RecordWriter text(String text) {
		byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
		return number(encoded.length).octets(encoded);
	}

	RecordWriter octets(byte[] more) {
		reserve(more.length);
		System.arraycopy(more, 0, this.octets, this.length, more.length);
		this.length += more.length;
		return this;
	}

	/** Everything so far and its checksum. */
	byte[] sealed() {
		fixed(4, RecordCodec.checksum(this.octets, this.length));
		return written();
	}

	/** Everything so far. */
	byte[] written() {
		return (this.length == this.octets.length) ? this.octets : Arrays.copyOf(this.octets, this.length);
	}

	private void reserve(int more) {
		if (this.octets.length - this.length < more) {
			this.octets = Arrays.copyOf(this.octets, Math.max(this.length + more, this.octets.length * 2));
		}
	}

}
