package dev.idempotency.store.postgres;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcTimeoutException;
import org.jspecify.annotations.Nullable;

import dev.idempotency.core.StoreUnavailableException;

/**
 * What a failure of the client means, in words that hold neither names nor values: a
 * server's message may quote a row.
 */
final class PostgresFailures {

	/** Of a server that takes no writes any more. */
	private static final String READ_ONLY = "25006";

	private static final String SERIALIZATION = "40001";

	private static final String DEADLOCK = "40P01";

	/** Of a statement whose end nobody knows. */
	private static final String COMPLETION_UNKNOWN = "40003";

	private PostgresFailures() {
	}

	static StoreUnavailableException unavailable(Throwable failure, Duration limit) {
		if (failure instanceof StoreUnavailableException already) {
			return already;
		}
		if (failure instanceof TimeoutException || failure instanceof R2dbcTimeoutException) {
			return new StoreUnavailableException("PostgreSQL did not answer within " + limit.toMillis() + " ms", null);
		}
		if (isRefusal(failure)) {
			return new StoreUnavailableException("PostgreSQL refused: " + state(failure), null);
		}
		return new StoreUnavailableException("The connection to PostgreSQL failed", failure);
	}

	/**
	 * Whether the server answered, and the statement's transaction is surely undone: not
	 * so where the connection broke (class 08) or the server went away (57P).
	 */
	static boolean isRefusal(Throwable failure) {
		String state = state(failure);
		return state != null && !state.startsWith("08") && !state.startsWith("57P")
				&& !state.equals(COMPLETION_UNKNOWN);
	}

	/**
	 * Whether the statement was undone only because of others, which happens where the
	 * database is set to a stricter isolation than <em>read committed</em>.
	 */
	static boolean isCollision(Throwable failure) {
		String state = state(failure);
		return SERIALIZATION.equals(state) || DEADLOCK.equals(state);
	}

	/** Whether this server has another role by now. */
	static boolean callsForReconnect(Throwable failure) {
		return READ_ONLY.equals(state(failure));
	}

	/** {@code SQLSTATE}, {@code null} where no server spoke. */
	private static @Nullable String state(Throwable failure) {
		return (failure instanceof R2dbcException spoken) ? spoken.getSqlState() : null;
	}

}
