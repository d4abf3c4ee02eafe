package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;

import dev.idempotency.core.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;

/**
 * What a failure of the client means, in words that hold neither names nor values: a
 * server's message may quote the arguments of a command.
 */
final class RedisFailures {

	/** A server that says so has another role by now, or does not know us any more. */
	private static final Set<String> RECONNECT = Set.of("READONLY", "NOAUTH", "UNBLOCKED");

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

	/** Whether the server answered, if only with a refusal. */
	static boolean isRefusal(Throwable failure) {
		return failure instanceof RedisCommandExecutionException;
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
