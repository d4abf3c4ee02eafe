package dev.idempotency.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a step met under the name of a record.
 *
 * @since 0.1.0
 */
public sealed interface Met {

	/** The claim stands there now. */
	record Written() implements Met {
	}

	/**
	 * Something stood there already.
	 *
	 * @param octets what
	 * @param remaining its remaining life, {@code null} if it was not read in the same
	 * step
	 */
	record Present(byte[] octets, @Nullable Duration remaining) implements Met {
	}

	/** Nothing stands there, and there is no room for a job. */
	record NoRoom() implements Met {
	}

	/** Nothing stands there, or nothing any more. */
	record Nothing() implements Met {
	}

}
