package dev.idempotency.core;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The two hash functions that identities and fingerprints are made with.
 *
 * @since 0.1.0
 */
public final class Digests {

	private Digests() {
	}

	/** A fresh SHA-256, which every Java platform has to provide. */
	public static MessageDigest sha256() {
		return named("SHA-256");
	}

	/** A fresh SHA-512. */
	public static MessageDigest sha512() {
		return named("SHA-512");
	}

	/** Feeds a length as four octets, so that adjoining parts cannot be confused. */
	public static void putLength(MessageDigest hash, int length) {
		hash.update((byte) (length >>> 24));
		hash.update((byte) (length >>> 16));
		hash.update((byte) (length >>> 8));
		hash.update((byte) length);
	}

	private static MessageDigest named(String algorithm) {
		try {
			return MessageDigest.getInstance(algorithm);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(algorithm + " is missing from this Java runtime", ex);
		}
	}

}
