package dev.idempotency.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a store says to a claim: one of these, and never an exception for something that
 * happens every day.
 *
 * @since 0.1.0
 */
public sealed interface Claim {

	/** The record it is about; {@code null} if that cannot be read. */
	default @Nullable IdempotencyRecord recordIfAny() {
		return null;
	}

	/** The token the record stands under; {@code null} if not even that can be read. */
	default @Nullable OwnerToken ownerIfAny() {
		IdempotencyRecord record = recordIfAny();
		return (record != null) ? record.owner() : null;
	}

	/** A claim about a record that can be read. */
	sealed interface Readable extends Claim {

		/** The record. */
		IdempotencyRecord record();

		@Override
		default IdempotencyRecord recordIfAny() {
			return record();
		}

	}

	/**
	 * The key was free, or was taken over: the claim is ours.
	 *
	 * @param record the claim as it stands in the store
	 */
	record Won(IdempotencyRecord record) implements Readable {
	}

	/**
	 * Somebody is at work.
	 *
	 * @param record his claim
	 * @param leaseLeft for how long he is still believed without a further sign of life,
	 * never negative
	 */
	record Running(IdempotencyRecord record, Duration leaseLeft) implements Readable {
	}

	/**
	 * The operation is done.
	 *
	 * @param record the outcome
	 * @param age time since it was settled, by the clock of the store; zero where a claim
	 * met it and the store reads no age with it
	 */
	record Finished(IdempotencyRecord record, Duration age) implements Readable {
	}

	/**
	 * Perhaps carried out: recorded as unknown, or a claim whose lease lapsed.
	 *
	 * @param record the record
	 * @param age time since it was settled or, where {@link #lapsed()}, since the owner's
	 * last sign of life; by the clock of the store
	 */
	record UnknownOutcome(IdempotencyRecord record, Duration age) implements Open {

		@Override
		public boolean lapsed() {
			return this.record.state() == IdempotencyRecord.State.RUNNING;
		}
	}

	/**
	 * A job that nobody is at work on and of which nothing was done, at least not in the
	 * state it is in now: queued, cancelled or failed.
	 *
	 * @param record the record
	 * @param age time since it came into this state, by the clock of the store; zero
	 * where a claim met it and the store reads no age with it
	 */
	record AtRest(IdempotencyRecord record, Duration age) implements Open {
	}

	/** What may be taken over, in one step and as it was seen. */
	sealed interface Open extends Readable {

		/** How long it has been so. */
		Duration age();

		/** Whether this is a claim whose owner fell silent. */
		default boolean lapsed() {
			return false;
		}

	}

	/**
	 * There is a record but it cannot be understood: damaged, or from a newer version.
	 *
	 * @param reason what is wrong with it; holds nothing of its content
	 * @param ownerIfAny what stands where every version has the owner's token, so that an
	 * operator can have this record forgotten and no other one; {@code null} where there
	 * is no room for one
	 */
	record Unreadable(String reason, @Nullable OwnerToken ownerIfAny) implements Claim {
	}

}
