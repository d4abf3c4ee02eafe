package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.PartitionSelectorException;

import dev.idempotency.core.StoreUnavailableException;

/**
 * What a failure of the client means, in words that hold neither names nor values: a
 * server's message may quote the arguments of a command.
 */
final class RedisFailures {

	/** A server that says so has another role by now, or does not know us any more. */
	private static final Set<String> RECONNECT = Set.of("READONLY", "NOAUTH", "UNBLOCKED");

	/** Lettuce's words for a command that it did not take; it has no type for them. */
	private static final String UNSENT = "(Currently not connected|Request queue size exceeded|Command buffer size exceeded).*";

	private static final String WRONG_TYPE = "WRONGTYPE";

	private RedisFailures() {
	}

	static StoreUnavailableException unavailable(Throwable failure, Duration limit) {
		if (failure instanceof StoreUnavailableException already) {
			return already;
		}
		if (failure instanceof TimeoutException) {
			return new StoreUnavailableException("Redis did not answer within " + limit.toMillis() + " ms", null);
		}
		if (failure instanceof RedisCommandExecutionException refusal) {
			return new StoreUnavailableException("Redis refused: " + code(refusal), null);
		}
		return new StoreUnavailableException("The connection to Redis failed", failure);
	}

	/** The first word of a server's refusal. */
	static String code(RedisCommandExecutionException refusal) {
		String message = String.valueOf(refusal.getMessage());
		int end = message.indexOf(' ');
		String word = (end > 0) ? message.substring(0, end) : message;
		return word.matches("[A-Z]{2,20}") ? word : "ERR";
	}

	/** Whether the failure proves that nothing was changed. */
	static boolean leavesNoDoubt(Throwable failure) {
		return isRefusal(failure) || isUnsent(failure);
	}

	/** Whether the server answered, if only with a refusal. */
	static boolean isRefusal(Throwable failure) {
		return failure instanceof RedisCommandExecutionException;
	}

	/**
	 * Whether the command surely did not leave this process, so that it cannot be carried
	 * out late either.
	 */
	static boolean isUnsent(Throwable failure) {
		return failure instanceof RedisConnectionException || failure instanceof PartitionSelectorException
				|| failure.getClass() == RedisException.class && String.valueOf(failure.getMessage()).matches(UNSENT);
	}

	static boolean isWrongType(Throwable failure) {
		return failure instanceof RedisCommandExecutionException refusal && WRONG_TYPE.equals(code(refusal));
	}

	static boolean callsForReconnect(Throwable failure) {
		return failure instanceof RedisCommandExecutionException refusal && RECONNECT.contains(code(refusal));
	}

	static boolean movedAway(Throwable failure) {
		return failure instanceof RedisCommandExecutionException refusal && "MOVED".equals(code(refusal));
	}

}
