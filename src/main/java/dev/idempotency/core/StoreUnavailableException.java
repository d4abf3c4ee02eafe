package dev.idempotency.core;

import org.jspecify.annotations.Nullable;

/**
 * The store could not be reached, did not answer in time, or has no room left. Whether
 * the step was carried out is not known.
 *
 * @since 0.1.0
 */
public class StoreUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * With a reason an operator understands.
	 * @param message what failed; holds no key, body or credential
	 * @param cause the client's own error
	 */
	public StoreUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
