package dev.idempotency.core;

/**
 * The key a client chose for one operation, after decoding: the quoted structured-field
 * string and the bare form of the same characters are one key
 * (draft-ietf-httpapi-idempotency-key-header-07, section 2.1).
 *
 * @param value the characters of the key, visible ASCII and space, never empty
 * @since 0.1.0
 */
public record IdempotencyKey(String value) {

	public IdempotencyKey {
		if (value.isEmpty()) {
			throw new IllegalArgumentException("an idempotency key must not be empty");
		}
	}

	/** A raw key never reaches a log. */
	@Override
	public String toString() {
		return "IdempotencyKey[" + this.value.length() + " characters]";
	}

}
