package dev.idempotency.autoconfigure;

/**
 * A value that cannot be: one line with its name and what is accepted, without saying
 * where it stood. Whoever knows the route or the file adds that.
 */
final class RejectedValueException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	RejectedValueException(String message) {
		super(message);
	}

}
