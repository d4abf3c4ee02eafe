package dev.idempotency.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a store keeps of one operation.
 *
 * @param state how far the operation is
 * @param owner token of the claim that wrote it last
 * @param lifetime how long the record lives from this write or from its last renewal on;
 * with the remaining life the store tells, it gives the age
 * @param lease how long the claim is believed without a sign of life; of no meaning once
 * settled
 * @param identityCheck {@link RecordId#check()} of the identity it was written for
 * @param fingerprint what the request asked for
 * @param tainted whether an attempt in an earlier lease may already have been carried out
 * @param attempts how often the backend was called so far, as far as known at the write
 * @param response the answer on record: of a done operation the answer or its tombstone,
 * of an unknown one the backend's answer if there was any, of a running one {@code null}
 * @param job what is known besides if the operation is a job; {@code null} if it is none
 * @since 0.1.0
 */
public record IdempotencyRecord(State state, OwnerToken owner, Duration lifetime, Duration lease, long identityCheck,
		Fingerprint fingerprint, boolean tainted, int attempts, @Nullable StoredResponse response, @Nullable Job job) {

	/** A record of an operation that is no job. */
	public IdempotencyRecord(State state, OwnerToken owner, Duration lifetime, Duration lease, long identityCheck,
			Fingerprint fingerprint, boolean tainted, int attempts, @Nullable StoredResponse response) {
		this(state, owner, lifetime, lease, identityCheck, fingerprint, tainted, attempts, response, null);
	}

	/**
	 * A claim nobody has acted on yet.
	 * @param id the identity it is for
	 * @param fingerprint what the request asks for
	 * @param retention how long things are kept
	 * @return a record with a token of its own
	 */
	public static IdempotencyRecord claim(RecordId id, Fingerprint fingerprint, IdempotencyPolicy.Retention retention) {
		return new IdempotencyRecord(State.RUNNING, OwnerToken.random(), retention.claimLifetime(), retention.lease(),
				id.check(), fingerprint, false, 0, null);
	}

	/**
	 * A claim for a job that nobody works on yet.
	 * @param id the identity it is for
	 * @param fingerprint what the request asks for
	 * @param retention how long things are kept
	 * @param job the job
	 * @return a record with a token of its own
	 */
	public static IdempotencyRecord queued(RecordId id, Fingerprint fingerprint, IdempotencyPolicy.Retention retention,
			Job job) {
		return new IdempotencyRecord(State.QUEUED, OwnerToken.random(), retention.jobLifetime(), retention.lease(),
				id.check(), fingerprint, false, 0, null, job);
	}

	/** The same claim, made by somebody who knows of an attempt in doubt before him. */
	public IdempotencyRecord afterDoubt(int earlierAttempts) {
		return new IdempotencyRecord(this.state, this.owner, this.lifetime, this.lease, this.identityCheck,
				this.fingerprint, true, earlierAttempts, null, this.job);
	}

	/**
	 * What this claim becomes when its operation ends.
	 * @param ended {@link State#DONE} or {@link State#UNKNOWN}
	 * @param keep how long the record lives from now on
	 * @param attempts how often the backend was called in all
	 * @param answer what is kept of the answer
	 * @return the settled record, under the same token
	 */
	public IdempotencyRecord settled(State ended, Duration keep, int attempts, @Nullable StoredResponse answer) {
		return new IdempotencyRecord(ended, this.owner, keep, this.lease, this.identityCheck, this.fingerprint,
				this.tainted || ended == State.UNKNOWN, attempts, answer, this.job);
	}

	/** The same claim under a token that no store has seen. */
	public IdempotencyRecord underNewToken() {
		return new IdempotencyRecord(this.state, OwnerToken.random(), this.lifetime, this.lease, this.identityCheck,
				this.fingerprint, this.tainted, this.attempts, this.response, this.job);
	}

	/** The same record of that job. */
	public IdempotencyRecord withJob(@Nullable Job other) {
		return new IdempotencyRecord(this.state, this.owner, this.lifetime, this.lease, this.identityCheck,
				this.fingerprint, this.tainted, this.attempts, this.response, other);
	}

	/**
	 * The same job in another state that it stays in until somebody changes it.
	 * @param next the state
	 * @param keep how long the record lives from now on
	 * @param sends how often the backend was called so far
	 * @param doubt whether any of it may have been carried out
	 * @param other what is known of the job now
	 */
	IdempotencyRecord moved(State next, Duration keep, int sends, boolean doubt, Job other) {
		return new IdempotencyRecord(next, this.owner, keep, this.lease, this.identityCheck, this.fingerprint, doubt,
				sends, this.response, other);
	}

	/** Octets of answer and job, roughly. */
	public int size() {
		return ((this.response != null) ? this.response.size() : 0) + ((this.job != null) ? this.job.size() : 0);
	}

	/** The same record with another answer, for instance its tombstone. */
	public IdempotencyRecord withResponse(@Nullable StoredResponse other) {
		return new IdempotencyRecord(this.state, this.owner, this.lifetime, this.lease, this.identityCheck,
				this.fingerprint, this.tainted, this.attempts, other, this.job);
	}

	/** The states a record can be in. */
	public enum State {

		/** Claimed; the owner is at work or has died. */
		RUNNING,
		/** Ended, with an answer or a tombstone. */
		DONE,
		/** Perhaps carried out, perhaps not. */
		UNKNOWN,
		/** A job that waits for its next attempt. It has no lease. */
		QUEUED,
		/** A job that was taken back before it began. */
		CANCELLED,
		/** A job that has ended with surely nothing done. */
		FAILED

	}

}
