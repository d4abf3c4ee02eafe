package dev.idempotency.store;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.RecordId;

/**
 * The layout in which a store outside of this process keeps a dead letter: version, kind,
 * time, and the record in its own layout.
 *
 * @since 0.1.0
 */
public final class DeadLetterCodec {

	private static final int VERSION = 1;

	private static final int HEAD = 10;

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
		return ByteBuffer.allocate(HEAD + record.length)
			.put((byte) VERSION)
			.put((byte) letter.kind().ordinal())
			.putLong(letter.time().toEpochMilli())
			.put(record)
			.array();
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
		IdempotencyRecord record = RecordCodec.decode(Arrays.copyOfRange(octets, HEAD, octets.length), ANY);
		if (record.job() == null) {
			throw new UnreadableRecordException("it is about no job");
		}
		return new DeadLetter(kinds[octets[1]], Instant.ofEpochMilli(ByteBuffer.wrap(octets).getLong(2)), record);
	}

}
