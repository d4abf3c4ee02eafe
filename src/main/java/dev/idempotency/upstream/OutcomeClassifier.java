package dev.idempotency.upstream;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

import org.springframework.cloud.gateway.support.NotFoundException;
import org.springframework.web.ErrorResponse;

import dev.idempotency.core.IdempotencyPolicy.OutcomeRules;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.StoredResponse;
import reactor.netty.channel.AbortedException;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquirePendingLimitException;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquireTimeoutException;

/**
 * Says of every way in which an attempt can end whether the work was surely done, surely
 * not done, or perhaps done. In doubt it is doubt.
 */
final class OutcomeClassifier {

	private static final int LAST_STATUS = 599;

	/** No chain of causes is longer, unless it is a ring. */
	private static final int DEEPEST = 20;

	private static final String BEFORE_SEND = String.valueOf(AbortedException.beforeSend().getMessage());

	private final OutcomeRules rules;

	private final AnswerRules answers;

	private final InstantSource clock;

	OutcomeClassifier(OutcomeRules rules, AnswerRules answers, InstantSource clock) {
		this.rules = rules;
		this.answers = answers;
		this.clock = clock;
	}

	/** The backend gave an answer, and it came whole. */
	Outcome answered(int attempts, StoredResponse answer) {
		StoredResponse forClient = this.answers.forClient(answer);
		if (this.rules.releaseOn().contains(answer.status())) {
			return new Outcome.NotApplied(attempts, Reason.STATUS, forClient, RetryAfter.of(answer, this.clock));
		}
		StoredResponse record = this.answers.forRecord(answer);
		if (isInDoubt(answer.status())) {
			return new Outcome.Unknown(attempts, Reason.STATUS, forClient, record, null);
		}
		return new Outcome.Done(attempts, forClient, record);
	}

	/** The backend's answer was passed on while it came, and ended as it should. */
	Outcome streamed(int attempts, StoredResponse head) {
		if (this.rules.releaseOn().contains(head.status())) {
			return new Outcome.NotApplied(attempts, Reason.STATUS, null, null);
		}
		StoredResponse tombstone = StoredResponse.tombstone(head.status());
		return isInDoubt(head.status()) ? new Outcome.Unknown(attempts, Reason.STATUS, null, tombstone, null)
				: new Outcome.Done(attempts, tombstone, tombstone);
	}

	/** A filter or a fallback answered in the backend's place. */
	Outcome answeredLocally(int attempts, Sent sent, StoredResponse answer) {
		StoredResponse forClient = this.answers.forClient(answer);
		return (sent != Sent.NO) ? new Outcome.Unknown(attempts, Reason.ANSWERED_LOCALLY, forClient, null, null)
				: new Outcome.NotApplied(attempts, Reason.ANSWERED_LOCALLY, forClient, null);
	}

	/** There was no answer at all. */
	Outcome failed(int attempts, Sent sent, Throwable error) {
		if (sent == Sent.YES ? !wasNotLookedAt(error) : sent == Sent.PERHAPS && !neverConnected(error)) {
			return brokenOff(attempts, error);
		}
		if (error instanceof ErrorResponse refusal && refusal.getStatusCode().is4xxClientError()) {
			StoredResponse words = new StoredResponse(refusal.getStatusCode().value(), List.of(), new byte[0]);
			return new Outcome.NotApplied(attempts, Reason.ANSWERED_LOCALLY, words, null);
		}
		return new Outcome.NotApplied(attempts, Reason.UNREACHABLE, null, null);
	}

	/** An answer had begun but did not come whole, or nobody can say what was sent. */
	Outcome brokenOff(int attempts, Throwable error) {
		return new Outcome.Unknown(attempts, isTimeout(error) ? Reason.TIMEOUT : Reason.BROKEN, null, null, null);
	}

	private boolean isInDoubt(int status) {
		return this.rules.unknownOn().contains(status) || status > LAST_STATUS;
	}

	/**
	 * The request was on its way, and yet: the connection turned out to be closed before
	 * the first byte, or the backend itself says that it has not looked at it.
	 */
	private static boolean wasNotLookedAt(Throwable error) {
		return anyCause(error, cause -> cause instanceof RefusedStreams.RefusedStreamException
				|| (cause instanceof AbortedException && BEFORE_SEND.equals(cause.getMessage())));
	}

	/** Errors that only arise before a connection is there. */
	private static boolean neverConnected(Throwable error) {
		return wasNotLookedAt(error) || anyCause(error,
				cause -> cause instanceof ConnectException || cause instanceof UnknownHostException
						|| cause instanceof NoRouteToHostException || cause instanceof UnresolvedAddressException
						|| cause instanceof PoolAcquireTimeoutException
						|| cause instanceof PoolAcquirePendingLimitException || cause instanceof NotFoundException);
	}

	private static boolean isTimeout(Throwable error) {
		return anyCause(error,
				cause -> cause instanceof TimeoutException || cause instanceof io.netty.handler.timeout.TimeoutException
						|| cause instanceof org.springframework.cloud.gateway.support.TimeoutException);
	}

	private static boolean anyCause(Throwable error, Predicate<Throwable> wanted) {
		int depth = 0;
		for (Throwable cause = error; cause != null && depth < DEEPEST; cause = cause.getCause(), depth++) {
			if (wanted.test(cause)) {
				return true;
			}
		}
		return false;
	}

	/** Whether anything of a request may have reached the backend. */
	enum Sent {

		/** Surely not. */
		NO,
		/** Nobody watched; the kind of error may tell. */
		PERHAPS,
		/** The first byte was about to go out, or has gone. */
		YES

	}

}
