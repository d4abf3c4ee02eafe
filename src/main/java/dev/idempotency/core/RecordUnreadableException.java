package dev.idempotency.core;

/**
 * There is a record, and it cannot be understood: damaged, from a newer version, or
 * encrypted under a key that is not known here. It must not be taken for none.
 *
 * @since 0.1.0
 */
public final class RecordUnreadableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	RecordUnreadableException(String reason) {
		super(reason, null, false, false);
	}

}
