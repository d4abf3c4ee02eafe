package dev.idempotency.store;

import java.time.Duration;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.RecordId;

/**
 * What a record in a store means to somebody who finds it there.
 *
 * @since 0.1.0
 */
public final class RecordReader {

	private final StoreContact contact;

	/**
	 * A reader that judges a lease lapsed only in unbroken contact.
	 * @param contact contact with the store that is read
	 */
	public RecordReader(StoreContact contact) {
		this.contact = contact;
	}

	/**
	 * Reads a record and its remaining life, which have to come from one step of the
	 * store: read apart, a settle in between would look like a lapse.
	 * @param id the identity under whose name it was found
	 * @param octets the record
	 * @param remaining its remaining life by the clock of the store
	 * @return what it means, never {@link Claim.Won}
	 */
	public Claim read(RecordId id, byte[] octets, Duration remaining) {
		try {
			return meaning(RecordCodec.decode(octets, id), remaining);
		}
		catch (UnreadableRecordException ex) {
			return new Claim.Unreadable(ex.reason(), RecordCodec.owner(octets));
		}
	}

	/**
	 * Whether a silent owner of this claim would have been heard if he were alive.
	 * @param claim his claim
	 */
	public boolean mayJudge(IdempotencyRecord claim) {
		return this.contact.unbrokenFor(claim.lease());
	}

	private Claim meaning(IdempotencyRecord record, Duration remaining) {
		Duration age = atLeastZero(record.lifetime().minus(remaining));
		return switch (record.state()) {
			case DONE -> new Claim.Finished(record, age);
			case UNKNOWN -> new Claim.UnknownOutcome(record, age);
			case RUNNING -> running(record, age);
			case QUEUED, CANCELLED, FAILED -> new Claim.AtRest(record, age);
		};
	}

	private Claim running(IdempotencyRecord record, Duration age) {
		boolean old = age.compareTo(record.lease()) > 0;
		return (old && mayJudge(record)) ? new Claim.UnknownOutcome(record, age)
				: new Claim.Running(record, atLeastZero(record.lease().minus(age)));
	}

	private static Duration atLeastZero(Duration time) {
		return time.isNegative() ? Duration.ZERO : time;
	}

}
