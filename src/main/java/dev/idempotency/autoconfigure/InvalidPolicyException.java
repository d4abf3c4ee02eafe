package dev.idempotency.autoconfigure;

/**
 * The policy of a route cannot be: an unknown name, an unknown field, an impossible
 * value, or fields that contradict each other. The message is one line that names the
 * route, the field and what is accepted.
 *
 * @since 0.1.0
 */
public final class InvalidPolicyException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	InvalidPolicyException(String message) {
		super(message);
	}

}
