package dev.idempotency.core;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * What a request asks for, as far as its policy looks: compared with the record, never
 * part of the look-up, so that an edited retry is refused and not executed.
 *
 * @since 0.1.0
 */
public final class Fingerprint {

	/** Octets of each of the two digests. */
	public static final int LENGTH = 32;

	private final int rules;

	private final byte[] digest;

	private final byte[] raw;

	/**
	 * A fingerprint from its digests.
	 * @param rules hash of the rules by which {@code digest} was made
	 * @param digest SHA-256 under those rules, {@value #LENGTH} octets
	 * @param raw SHA-256 of query and body as they came, {@value #LENGTH} octets
	 */
	public Fingerprint(int rules, byte[] digest, byte[] raw) {
		if (digest.length != LENGTH || raw.length != LENGTH) {
			throw new IllegalArgumentException("a fingerprint has two digests of " + LENGTH + " octets");
		}
		this.rules = rules;
		this.digest = digest.clone();
		this.raw = raw.clone();
	}

	/**
	 * Whether both stand for the same request. Under equal rules their digests decide;
	 * where the rules changed while the record lived, equal raw digests do.
	 * @param other the fingerprint on record
	 * @return {@code true} if it is the same request
	 */
	public boolean matches(Fingerprint other) {
		return (this.rules == other.rules) ? MessageDigest.isEqual(this.digest, other.digest)
				: MessageDigest.isEqual(this.raw, other.raw);
	}

	/** Hash of the rules. */
	public int rules() {
		return this.rules;
	}

	/** The digest under the rules. */
	public byte[] digest() {
		return this.digest.clone();
	}

	/** The digest of query and body as they came. */
	public byte[] raw() {
		return this.raw.clone();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return (other instanceof Fingerprint that) && this.rules == that.rules
				&& Arrays.equals(this.digest, that.digest) && Arrays.equals(this.raw, that.raw);
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(this.digest);
	}

	/** The first eight characters, which is all that an operator sees. */
	@Override
	public String toString() {
		return HexFormat.of().formatHex(this.digest, 0, 4);
	}

}
