package dev.idempotency.gateway;

import java.util.Locale;

/**
 * Why a request of a covered method went to the backend without protection.
 *
 * @since 0.1.0
 */
public enum BypassReason {

	/** {@code idempotency.enabled} is false. */
	SWITCHED_OFF,
	/** It brought no key, and the policy does not insist on one. */
	NO_KEY,
	/** The store could not be reached, and the policy says {@code forward}. */
	STORE_UNAVAILABLE;

	/** The value of the tag. */
	public String tag() {
		return name().toLowerCase(Locale.ROOT);
	}

}
