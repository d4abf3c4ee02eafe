package dev.idempotency.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The backend of one request, as the engine sees it.
 *
 * @since 0.1.0
 */
public interface Upstream {

	/**
	 * Carries the operation out: one attempt or several, under the one claim. The
	 * {@code Mono} is not cancelled by a client that goes away.
	 * @param lease the claim, to be made sure of before each send
	 * @return what became of it; never an error for anything a backend does
	 */
	Mono<Outcome> carryOut(Lease lease);

	/**
	 * Asks the backend what became of an operation whose outcome is unknown.
	 * @param silence time since the last attempt ended or its owner was last heard of
	 * @return what it says
	 */
	default Mono<Verdict> reconcile(Duration silence) {
		return Mono.just(new Verdict(Verdict.Kind.UNDECIDED, null));
	}

	/**
	 * What a backend says of an operation in doubt.
	 *
	 * @param kind applied, not applied, or no clear word
	 * @param record for {@link Kind#APPLIED} the answer to keep and replay
	 */
	record Verdict(Kind kind, @Nullable StoredResponse record) {

		/** The three kinds of a verdict. */
		public enum Kind {

			APPLIED, NOT_APPLIED, UNDECIDED

		}
	}

}
