package dev.idempotency.gateway;

/**
 * Valid JSON that different readers understand differently, so that it cannot be compared
 * by its meaning.
 */
final class IncomparableJsonException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	IncomparableJsonException(String message) {
		super(message);
	}

}
