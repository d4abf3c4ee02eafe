package dev.idempotency.gateway;

import dev.idempotency.core.IdempotencyKey;

/** What a request says about its idempotency key. */
sealed interface PresentedKey {

	/** It has none. */
	record Absent() implements PresentedKey {
	}

	/**
	 * It has something that is no key.
	 *
	 * @param detail for the client: what is wrong and what is accepted, without the value
	 */
	record Invalid(String detail) implements PresentedKey {
	}

	/**
	 * It has one.
	 *
	 * @param key the key after decoding
	 * @param headerName name of the header under which it came, as the policy spells it;
	 * the canonical one where it came under several
	 * @param raw the octets as sent, without the white space around them: visible ASCII
	 * and space, safe to send back
	 */
	record Present(IdempotencyKey key, String headerName, String raw) implements PresentedKey {

		/** A raw key never reaches a log. */
		@Override
		public String toString() {
			return "Present[" + this.key + " in " + this.headerName + "]";
		}

	}

}
