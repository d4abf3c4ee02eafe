package dev.idempotency.upstream;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.ErrorResponse;

import dev.idempotency.core.IdempotencyPolicy.OutcomeRules;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.StoredResponse;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquirePendingLimitException;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquireTimeoutException;

/**
 * Says of every way in which an attempt can end whether the work was surely done, surely
 * not done, or perhaps done. In doubt it is doubt.
 */
final class OutcomeClassifier {

	private static final int LAST_STATUS = 599;

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
			return new Outcome.NotApplied(attempts, Reason.STATUS, forClient, retryAfter(answer));
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
	Outcome answeredLocally(int attempts, boolean sent, StoredResponse answer) {
		StoredResponse forClient = this.answers.forClient(answer);
		return sent ? new Outcome.Unknown(attempts, Reason.ANSWERED_LOCALLY, forClient, null, null)
				: new Outcome.NotApplied(attempts, Reason.ANSWERED_LOCALLY, forClient, null);
	}

	/** There was no answer, or not a whole one. */
	Outcome failed(int attempts, boolean sent, Throwable error) {
		if (neverConnected(error)) {
			return new Outcome.NotApplied(attempts, Reason.UNREACHABLE, null, null);
		}
		if (sent) {
			return new Outcome.Unknown(attempts, isTimeout(error) ? Reason.TIMEOUT : Reason.BROKEN, null, null, null);
		}
		if (error instanceof ErrorResponse refusal && refusal.getStatusCode().is4xxClientError()) {
			StoredResponse words = new StoredResponse(refusal.getStatusCode().value(), List.of(), new byte[0]);
			return new Outcome.NotApplied(attempts, Reason.ANSWERED_LOCALLY, words, null);
		}
		return new Outcome.NotApplied(attempts, Reason.UNREACHABLE, null, null);
	}

	private boolean isInDoubt(int status) {
		return this.rules.unknownOn().contains(status) || status > LAST_STATUS;
	}

	/**
	 * Errors that only arise before a connection is there, or by which the backend itself
	 * says that it has not looked at the request (RFC 9113, section 8.7).
	 */
	private static boolean neverConnected(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof ConnectException || cause instanceof UnknownHostException
					|| cause instanceof NoRouteToHostException || cause instanceof UnresolvedAddressException
					|| cause instanceof PoolAcquireTimeoutException
					|| cause instanceof PoolAcquirePendingLimitException) {
				return true;
			}
			if (cause instanceof Http2Exception http2 && http2.error() == Http2Error.REFUSED_STREAM) {
				return true;
			}
		}
		return false;
	}

	private static boolean isTimeout(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof java.util.concurrent.TimeoutException
					|| cause instanceof io.netty.handler.timeout.TimeoutException) {
				return true;
			}
		}
		return false;
	}

	private @Nullable Duration retryAfter(StoredResponse answer) {
		return answer.headers()
			.stream()
			.filter(header -> header.name().equalsIgnoreCase(HttpHeaders.RETRY_AFTER))
			.findFirst()
			.map(header -> RetryAfter.parse(header.value(), this.clock))
			.orElse(null);
	}

}
