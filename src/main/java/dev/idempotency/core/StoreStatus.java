package dev.idempotency.core;

import java.util.Map;

/**
 * How a store is, for operators.
 *
 * @param serving whether calls have a prospect of success just now
 * @param facts what is known of it, by name; no addresses, no credentials
 * @since 0.1.0
 */
public record StoreStatus(boolean serving, Map<String, Object> facts) {

	public StoreStatus {
		facts = Map.copyOf(facts);
	}

}
