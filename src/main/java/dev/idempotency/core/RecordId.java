package dev.idempotency.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Where the record of an operation is found: a digest of namespace, caller, method, host,
 * path and key. Only this digest reaches a store, a log or an operator.
 *
 * @param digest 64 lower-case hexadecimal digits
 * @param check further bits of the same hash, kept inside the record, so that a record
 * that was copied under a foreign name is recognised as not one's own; {@link #UNCHECKED}
 * for whoever knows the digest only
 * @since 0.1.0
 */
public record RecordId(String digest, long check) {

	/** Stands for bits that are not known and not compared. */
	public static final long UNCHECKED = 0;

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
		long check = ByteBuffer.wrap(bits).getLong(DIGEST_BYTES);
		return new RecordId(digest, (check != UNCHECKED) ? check : 1);
	}

	/**
	 * The identity of which an operator knows the digest.
	 * @param digest 64 lower-case hexadecimal digits
	 * @return the identity
	 */
	public static RecordId ofDigest(String digest) {
		return new RecordId(digest, UNCHECKED);
	}

	/** The digest alone tells identities apart. */
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RecordId that && this.digest.equals(that.digest);
	}

	@Override
	public int hashCode() {
		return this.digest.hashCode();
	}

	@Override
	public String toString() {
		return this.digest;
	}

}
