package dev.idempotency.core;

import java.time.Duration;

/**
 * What a store says to a claim: one of these, and never an exception for something that
 * happens every day.
 *
 * @since 0.1.0
 */
public sealed interface Claim {

	/**
	 * The key was free, or was taken over: the claim is ours.
	 *
	 * @param record the claim as it stands in the store
	 */
	record Won(IdempotencyRecord record) implements Claim {
	}

	/**
	 * Somebody is at work.
	 *
	 * @param record his claim
	 * @param leaseLeft for how long he is still believed without a further sign of life,
	 * never negative
	 */
	record Running(IdempotencyRecord record, Duration leaseLeft) implements Claim {
	}

	/**
	 * The operation is done.
	 *
	 * @param record the outcome
	 * @param age time since it was settled, by the clock of the store; zero where a claim
	 * met it and the store reads no age with it
	 */
	record Finished(IdempotencyRecord record, Duration age) implements Claim {
	}

	/**
	 * Perhaps carried out: recorded as unknown, or a claim whose lease lapsed.
	 *
	 * @param record the record
	 * @param age time since it was settled or, where {@link #lapsed()}, since the owner's
	 * last sign of life; by the clock of the store
	 */
	record UnknownOutcome(IdempotencyRecord record, Duration age) implements Claim {

		/** Whether this is a claim whose owner fell silent. */
		public boolean lapsed() {
			return this.record.state() == IdempotencyRecord.State.RUNNING;
		}
	}

	/**
	 * There is a record but it cannot be understood: damaged, or from a newer version.
	 *
	 * @param reason what is wrong with it; holds nothing of its content
	 */
	record Unreadable(String reason) implements Claim {
	}

}
