package dev.idempotency.core;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * The name of a job, as clients know it: 128 random bits, which nobody can guess, and the
 * digest of its record, so that one read finds it.
 *
 * @since 0.1.0
 */
public final class JobId {

	/** Characters of an id. */
	public static final int LENGTH = 64;

	private static final int SECRET = 16;

	private static final int OCTETS = 48;

	private static final SecureRandom RANDOM = new SecureRandom();

	private final String text;

	private final byte[] octets;

	private JobId(String text, byte[] octets) {
		this.text = text;
		this.octets = octets;
	}

	/**
	 * A new id.
	 * @param record where the job is kept
	 */
	public static JobId random(RecordId record) {
		byte[] secret = new byte[SECRET];
		RANDOM.nextBytes(secret);
		byte[] octets = Arrays.copyOf(secret, OCTETS);
		byte[] digest = HexFormat.of().parseHex(record.digest());
		System.arraycopy(digest, 0, octets, SECRET, digest.length);
		return new JobId(Base64.getUrlEncoder().withoutPadding().encodeToString(octets), octets);
	}

	/**
	 * Reads what a client says.
	 * @param text what he takes for an id
	 * @return the id, {@code null} if there can be no job of that name
	 */
	public static @Nullable JobId parse(String text) {
		if (text.length() != LENGTH) {
			return null;
		}
		try {
			byte[] octets = Base64.getUrlDecoder().decode(text);
			// Fewer where padding takes the place of characters.
			return (octets.length == OCTETS) ? new JobId(text, octets) : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/** Where the job is kept. */
	public RecordId recordId() {
		return RecordId.ofDigest(HexFormat.of().formatHex(this.octets, SECRET, OCTETS));
	}

	/** Compared in a time that tells nothing of where two ids differ. */
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof JobId that && MessageDigest.isEqual(this.octets, that.octets);
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(this.octets);
	}

	/** As clients and queues write it. */
	@Override
	public String toString() {
		return this.text;
	}

}
