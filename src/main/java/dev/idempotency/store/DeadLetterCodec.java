package dev.idempotency.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.RecordId;

/**
 * The layout in which a store outside of this process keeps a dead letter: version, kind,
 * time, attempts, last outcome, and the record in its own layout.
 *
 * @since 0.1.0
 */
public final class DeadLetterCodec {

	private static final int VERSION = 1;

	private static final int HEAD = 10;

	private static final int ROOM_FOR_OUTCOME = 64;

	/** A letter is found by its own name, not by that of the record. */
	private static final RecordId ANY = RecordId.ofDigest("");

	private DeadLetterCodec() {
	}

	/**
	 * Writes a letter.
	 * @param letter the letter
	 * @return its octets
	 */
	public static byte[] encode(DeadLetter letter) {
		byte[] record = RecordCodec.encode(letter.record());
		RecordWriter out = new RecordWriter(HEAD + ROOM_FOR_OUTCOME + record.length);
		out.fixed(1, VERSION).fixed(1, letter.kind().ordinal()).fixed(8, letter.time().toEpochMilli());
		out.number(letter.attempts()).text((letter.lastOutcome() != null) ? letter.lastOutcome() : "");
		return out.octets(record).written();
	}

	/**
	 * Reads a letter.
	 * @param octets what the store has
	 * @return the letter
	 * @throws UnreadableRecordException if this is anything else than a whole, undamaged
	 * letter in a version known here
	 */
	public static DeadLetter decode(byte[] octets) {
		DeadLetter.Kind[] kinds = DeadLetter.Kind.values();
		if (octets.length < HEAD || octets[0] != VERSION || octets[1] < 0 || octets[1] >= kinds.length) {
			throw new UnreadableRecordException("it is not a dead letter");
		}
		ByteBuffer in = ByteBuffer.wrap(octets, 2, octets.length - 2);
		try {
			Instant time = Instant.ofEpochMilli(in.getLong());
			int attempts = RecordCodec.number(in);
			String lastOutcome = RecordCodec.text(in);
			IdempotencyRecord record = RecordCodec.decode(RecordCodec.octets(in, in.remaining()), ANY);
			if (record.job() == null) {
				throw new UnreadableRecordException("it is about no job");
			}
			return new DeadLetter(kinds[octets[1]], time, record, attempts, lastOutcome.isEmpty() ? null : lastOutcome);
		}
		catch (BufferUnderflowException ex) {
			throw new UnreadableRecordException("it ends too early");
		}
	}

}
