package dev.idempotency.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Where the record of an operation is found: a digest of namespace, caller, method, host,
 * path and key. Only this digest reaches a store, a log or an operator.
 *
 * @param digest 64 lower-case hexadecimal digits
 * @param check further bits of the same hash, kept inside the record, so that a record
 * that was copied under a foreign name is recognised as not one's own
 * @since 0.1.0
 */
public record RecordId(String digest, long check) {

	private static final int DIGEST_BYTES = 32;

	/**
	 * Digests the parts that make up an identity. Each part is preceded by its length, so
	 * that no two different lists have the same octets.
	 * @param parts the parts in their documented order
	 * @return the identity
	 */
	public static RecordId of(List<String> parts) {
		MessageDigest hash = Digests.sha512();
		for (String part : parts) {
			byte[] octets = part.getBytes(StandardCharsets.UTF_8);
			Digests.putLength(hash, octets.length);
			hash.update(octets);
		}
		byte[] bits = hash.digest();
		String digest = HexFormat.of().formatHex(Arrays.copyOf(bits, DIGEST_BYTES));
		return new RecordId(digest, ByteBuffer.wrap(bits).getLong(DIGEST_BYTES));
	}

	@Override
	public String toString() {
		return this.digest;
	}

}
