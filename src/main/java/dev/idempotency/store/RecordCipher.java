package dev.idempotency.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.TreeMap;

import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;

/**
 * Encrypts what records hold of requests and answers, with AES-256 in Galois/Counter Mode
 * (NIST SP 800-38D), each record under a key of its own that HKDF (RFC 5869) derives from
 * a master key and the owner's token. The digest of the record's identity is
 * authenticated with it, so that nothing can be moved to another record.
 *
 * <pre>
 *   nonce        12 octets, random
 *   ciphertext   as long as the plain text
 *   tag          16 octets
 * </pre>
 *
 * Several master keys may be known and one writes. To change it, make the new one known
 * to every gateway first, then let it write, and drop the old one after the longest
 * lifetime of a record.
 *
 * @since 0.1.0
 */
public final class RecordCipher {

	/** Octets of a master key. */
	public static final int KEY_LENGTH = 32;

	private static final String ALGORITHM = "AES/GCM/NoPadding";

	private static final byte[] PURPOSE = "idempotency record".getBytes(StandardCharsets.US_ASCII);

	private static final int NONCE = 12;

	private static final int TAG = 16;

	private final SecureRandom random = new SecureRandom();

	private final @Nullable String active;

	private final Map<String, byte[]> keys = new TreeMap<>();

	/**
	 * A cipher.
	 * @param active name of the master key that writes; {@code null} to write in the
	 * clear and only read
	 * @param keys all master keys that may be read, by name, {@value #KEY_LENGTH} octets
	 * each
	 */
	public RecordCipher(@Nullable String active, Map<String, byte[]> keys) {
		keys.forEach((name, key) -> {
			if (key.length != KEY_LENGTH) {
				throw new IllegalArgumentException("a master key has " + KEY_LENGTH + " octets");
			}
			this.keys.put(name, key.clone());
		});
		if (active != null && !this.keys.containsKey(active)) {
			throw new IllegalArgumentException("the key that writes is not among the keys");
		}
		this.active = active;
	}

	/** A cipher that leaves everything as it is. */
	public static RecordCipher none() {
		return new RecordCipher(null, Map.of());
	}

	/** Name of the master key that writes; {@code null} if records are in the clear. */
	@Nullable String active() {
		return this.active;
	}

	/**
	 * Encrypts.
	 * @param name of the master key, which is known
	 * @param plain what to encrypt
	 * @param id the record it belongs to
	 * @param owner token of its owner
	 * @return nonce, ciphertext and tag
	 */
	byte[] seal(String name, byte[] plain, RecordId id, OwnerToken owner) {
		byte[] nonce = new byte[NONCE];
		this.random.nextBytes(nonce);
		ByteBuffer sealed = ByteBuffer.allocate(NONCE + plain.length + TAG).put(nonce);
		try {
			cipher(Cipher.ENCRYPT_MODE, name, nonce, id, owner).doFinal(ByteBuffer.wrap(plain), sealed);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("this Java runtime cannot encrypt with " + ALGORITHM, ex);
		}
		return sealed.array();
	}

	/**
	 * Decrypts.
	 * @param name of the master key
	 * @param sealed nonce, ciphertext and tag
	 * @param id the record it was found in
	 * @param owner token of its owner
	 * @return the plain text
	 * @throws UnreadableRecordException if the key is not known or not the right one, or
	 * anything was changed
	 */
	byte[] open(String name, byte[] sealed, RecordId id, OwnerToken owner) {
		if (sealed.length < NONCE + TAG) {
			throw new UnreadableRecordException("it ends too early");
		}
		byte[] nonce = new byte[NONCE];
		ByteBuffer in = ByteBuffer.wrap(sealed).get(nonce);
		try {
			byte[] rest = new byte[in.remaining()];
			in.get(rest);
			return cipher(Cipher.DECRYPT_MODE, name, nonce, id, owner).doFinal(rest);
		}
		catch (AEADBadTagException ex) {
			throw new UnreadableRecordException(
					"it was changed, or encrypted under another key of the name '" + name + "'");
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("this Java runtime cannot decrypt with " + ALGORITHM, ex);
		}
	}

	private byte[] master(String name) {
		byte[] key = this.keys.get(name);
		if (key == null) {
			throw new UnreadableRecordException(
					"it is encrypted under the key '" + name + "', which is not known here");
		}
		return key;
	}

	private Cipher cipher(int mode, String name, byte[] nonce, RecordId id, OwnerToken owner)
			throws GeneralSecurityException {
		byte[] key = Hkdf.derive(master(name), owner.bytes(), PURPOSE);
		Cipher cipher = Cipher.getInstance(ALGORITHM);
		cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG * Byte.SIZE, nonce));
		cipher.updateAAD(id.digest().getBytes(StandardCharsets.US_ASCII));
		return cipher;
	}

}
