package dev.idempotency.core;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An answer as a value: from the backend on its way to the client, or on record.
 *
 * @param status the HTTP status code
 * @param headers header lines in their order, names as they came
 * @param body the octets of the content; {@code null} for a tombstone, which says that
 * the operation ended but keeps nothing to replay
 * @since 0.1.0
 */
public record StoredResponse(int status, List<Header> headers, byte @Nullable [] body) {

	public StoredResponse {
		headers = List.copyOf(headers);
	}

	/**
	 * An answer of which only the status is remembered.
	 * @param status the HTTP status code, 0 where not even that is known
	 * @return the tombstone
	 */
	public static StoredResponse tombstone(int status) {
		return new StoredResponse(status, List.of(), null);
	}

	/** Whether there is something to replay. */
	public boolean isReplayable() {
		return this.body != null;
	}

	/** Octets this answer occupies, roughly. */
	public int size() {
		int size = (this.body != null) ? this.body.length : 0;
		for (Header header : this.headers) {
			size += header.name().length() + header.value().length() + 4;
		}
		return size;
	}

	/** Neither headers nor body reach a log. */
	@Override
	public String toString() {
		return "StoredResponse[" + this.status + ((this.body != null) ? ", " + this.body.length + " bytes]" : "]");
	}

	/**
	 * One header line.
	 *
	 * @param name the field name
	 * @param value the field value
	 */
	public record Header(String name, String value) {

		/** A value never reaches a log. */
		@Override
		public String toString() {
			return this.name;
		}

	}

}
