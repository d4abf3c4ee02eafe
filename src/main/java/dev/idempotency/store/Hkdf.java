package dev.idempotency.store;

import java.security.GeneralSecurityException;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Derives a key from a master key (HKDF with SHA-256, RFC 5869), as long as one block of
 * the hash, which is all that a key of AES-256 needs.
 */
final class Hkdf {

	private static final String HMAC = "HmacSHA256";

	private static final byte FIRST_BLOCK = 1;

	private Hkdf() {
	}

	/**
	 * Derives.
	 * @param secret the master key
	 * @param salt what makes the derived key another one
	 * @param info what the key is for
	 * @return 32 octets
	 */
	static byte[] derive(byte[] secret, byte[] salt, byte[] info) {
		try {
			byte[] extracted = mac(salt).doFinal(secret);
			Mac expansion = mac(extracted);
			expansion.update(info);
			return expansion.doFinal(new byte[] { FIRST_BLOCK });
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("this Java runtime has no " + HMAC, ex);
		}
	}

	private static Mac mac(byte[] key) throws GeneralSecurityException {
		Mac mac = Mac.getInstance(HMAC);
		mac.init(new SecretKeySpec(key, HMAC));
		return mac;
	}

}
