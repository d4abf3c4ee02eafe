package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collection;

import dev.idempotency.core.Digests;

/**
 * A growing array in which a document is written down so that no two documents look
 * alike: each value begins with its tag, whatever varies in length says how long it is.
 */
final class CanonicalOctets {

	/** Objects longer than this are replaced by their hash. */
	private static final int LONG_OBJECT = 64;

	private byte[] octets = new byte[256];

	private int size;

	int size() {
		return this.size;
	}

	void truncate(int newSize) {
		this.size = newSize;
	}

	void tag(char tag) {
		ensure(1);
		this.octets[this.size++] = (byte) tag;
	}

	void number(String ascii) {
		byte[] digits = ascii.getBytes(StandardCharsets.US_ASCII);
		length(digits.length);
		append(digits, 0, digits.length);
	}

	void text(char[] characters, int offset, int length) {
		length(length);
		ensure(2 * length);
		for (int i = offset; i < offset + length; i++) {
			this.octets[this.size++] = (byte) (characters[i] >>> 8);
			this.octets[this.size++] = (byte) characters[i];
		}
	}

	/**
	 * Replaces the end of what was written by an object.
	 * @param begin where its members begin
	 * @param members where each of them is, in the order they get
	 */
	void object(int begin, Collection<Slice> members) {
		if (this.size - begin > LONG_OBJECT) {
			MessageDigest hash = Digests.sha256();
			members.forEach((member) -> hash.update(this.octets, member.from(), member.length()));
			truncate(begin);
			tag('h');
			byte[] digest = hash.digest();
			append(digest, 0, digest.length);
		}
		else {
			byte[] copy = Arrays.copyOfRange(this.octets, begin, this.size);
			truncate(begin);
			tag('{');
			members.forEach((member) -> append(copy, member.from() - begin, member.length()));
			tag('}');
		}
	}

	byte[] sha256() {
		MessageDigest hash = Digests.sha256();
		hash.update(this.octets, 0, this.size);
		return hash.digest();
	}

	private void length(int length) {
		ensure(4);
		for (int shift = 24; shift >= 0; shift -= 8) {
			this.octets[this.size++] = (byte) (length >>> shift);
		}
	}

	private void append(byte[] source, int offset, int length) {
		ensure(length);
		System.arraycopy(source, offset, this.octets, this.size, length);
		this.size += length;
	}

	private void ensure(int more) {
		if (this.size + more > this.octets.length) {
			this.octets = Arrays.copyOf(this.octets, Math.max(2 * this.octets.length, this.size + more));
		}
	}

	/**
	 * A stretch of what was written.
	 *
	 * @param from its first octet
	 * @param to the octet after its last
	 */
	record Slice(int from, int to) {

		int length() {
			return this.to - this.from;
		}

	}

}
