package dev.idempotency.core;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a record knows besides its operation if that is a job: work that was accepted and
 * is carried out apart from the request that brought it. Times are those of the gateways,
 * to the millisecond, and only shown.
 *
 * @param id its name
 * @param route id of the route that carries it out
 * @param owner who may look at it
 * @param created when it was accepted
 * @param started when its first attempt began, {@code null} before that
 * @param ended when it ended, {@code null} before that
 * @param lastOutcome how the last attempt ended, in one word; {@code null} before that
 * @param dead why it was given up, {@code null} unless it was
 * @param callback where its end is to be posted, {@code null} if nowhere
 * @param request what to send; {@code null} once nothing will be sent any more
 * @param attemptsBefore how many attempts there were before an operator had it sent once
 * more; they do not count against the attempts of its route
 * @since 0.1.0
 */
public record Job(JobId id, String route, JobOwner owner, Instant created, @Nullable Instant started,
		@Nullable Instant ended, @Nullable String lastOutcome, @Nullable Death dead, @Nullable String callback,
		@Nullable JobRequest request, int attemptsBefore) {

	/** Accepted now. */
	public static Job accepted(JobId id, String route, JobOwner owner, Instant now, @Nullable String callback,
			JobRequest request) {
		return new Job(id, route, owner, now, null, null, null, null, callback, request, 0);
	}

	/** An attempt begins. */
	Job begun(Instant now) {
		return new Job(this.id, this.route, this.owner, this.created, (this.started != null) ? this.started : now, null,
				this.lastOutcome, null, this.callback, this.request, this.attemptsBefore);
	}

	/** An attempt ended, and another one is to follow. */
	Job again(@Nullable String outcome) {
		return new Job(this.id, this.route, this.owner, this.created, this.started, null, outcome, null, this.callback,
				this.request, this.attemptsBefore);
	}

	/**
	 * An operator has it sent once more, with all the attempts of its route.
	 * @param attempts how many there were so far
	 */
	Job redriven(int attempts) {
		return new Job(this.id, this.route, this.owner, this.created, this.started, null, this.lastOutcome, null,
				this.callback, this.request, attempts);
	}

	/** It has ended, and nothing will be sent any more. */
	Job over(Instant now, @Nullable String outcome) {
		return new Job(this.id, this.route, this.owner, this.created, this.started, now, outcome, null, this.callback,
				null, this.attemptsBefore);
	}

	/** It is given up; an operator may have it sent once more. */
	Job dead(Instant now, @Nullable String outcome, Death why) {
		return new Job(this.id, this.route, this.owner, this.created, this.started, now, outcome, why, this.callback,
				this.request, this.attemptsBefore);
	}

	/** The same job with its request in another form. */
	public Job withRequest(@Nullable JobRequest other) {
		return new Job(this.id, this.route, this.owner, this.created, this.started, this.ended, this.lastOutcome,
				this.dead, this.callback, other, this.attemptsBefore);
	}

	/** Octets it occupies, roughly. */
	public int size() {
		return (this.request != null) ? this.request.size() : 0;
	}

	/** Why a job was given up. */
	public enum Death {

		/** It may have been carried out, and nobody knows. */
		OUTCOME_UNKNOWN,
		/** It was tried as often as the route permits. */
		ATTEMPTS_USED_UP

	}

}
