package dev.idempotency.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What is known of an operation once its attempts have ended, or once they have been
 * waited for long enough: surely done, surely not done, or perhaps done. The difference
 * decides whether a key may ever be used again.
 *
 * @since 0.1.0
 */
public sealed interface Outcome {

	/** How often the backend was called. */
	int attempts();

	/**
	 * Surely done: the backend said so in an answer that came whole.
	 *
	 * @param attempts how often the backend was called
	 * @param answer as it goes to the client
	 * @param record what is kept of it
	 */
	record Done(int attempts, StoredResponse answer, StoredResponse record) implements Outcome {
	}

	/**
	 * Surely not done: the key is free again.
	 *
	 * @param attempts how often the backend was called
	 * @param reason why
	 * @param answer the backend's own words, {@code null} if there are none
	 * @param retryAfter when another try makes sense, {@code null} if not known
	 */
	record NotApplied(int attempts, Reason reason, @Nullable StoredResponse answer,
			@Nullable Duration retryAfter) implements Outcome {
	}

	/**
	 * Perhaps done.
	 *
	 * @param attempts how often the backend was called
	 * @param reason why it is not known
	 * @param answer the backend's own words as they go to the client, {@code null} if
	 * there are none
	 * @param record what is kept of them
	 * @param late the outcome that attempts still open may bring: {@link Done} or
	 * {@link Unknown}, never anything else; {@code null} if none is open
	 */
	record Unknown(int attempts, Reason reason, @Nullable StoredResponse answer, @Nullable StoredResponse record,
			@Nullable Mono<Outcome> late) implements Outcome {
	}

	/**
	 * Not known yet: the answer is passed on while it comes, because it is endless or too
	 * large to keep.
	 *
	 * @param attempts how often the backend was called
	 * @param head status and headers, without a body
	 * @param body the content as it comes; a subscriber that cancels does not stop the
	 * backend
	 * @param end what the operation came to when the content was over: {@link Done} with
	 * tombstones, or {@link Unknown}
	 */
	record Streaming(int attempts, StoredResponse head, Flux<byte[]> body, Mono<Outcome> end) implements Outcome {
	}

	/** Why an operation has the outcome it has. */
	enum Reason {

		/** A status of the backend decided. */
		STATUS,
		/** No connection to the backend came about. */
		UNREACHABLE,
		/** The circuit breaker held the attempt back. */
		CIRCUIT_OPEN,
		/** The route runs as many operations as it may. */
		TOO_BUSY,
		/** The gateway is about to stop. */
		SHUTTING_DOWN,
		/** The claim could not be renewed before a send. */
		LEASE_UNCERTAIN,
		/** A filter of the route answered before anything was sent. */
		ANSWERED_LOCALLY,
		/** No answer in time. */
		TIMEOUT,
		/** The connection or the answer broke. */
		BROKEN

	}

}
