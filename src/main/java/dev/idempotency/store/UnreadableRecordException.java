package dev.idempotency.store;

/**
 * What stands in the store under a record's name is not a record, or none that this
 * version understands.
 *
 * @since 0.1.0
 */
public final class UnreadableRecordException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * With what is wrong.
	 * @param reason holds nothing of the content
	 */
	public UnreadableRecordException(String reason) {
		super(reason);
	}

	/** The reason, which is never missing. */
	public String reason() {
		return String.valueOf(getMessage());
	}

	/** Damage is data, not a fault of the program: a stack trace would tell nothing. */
	@Override
	public synchronized Throwable fillInStackTrace() {
		return this;
	}

}
