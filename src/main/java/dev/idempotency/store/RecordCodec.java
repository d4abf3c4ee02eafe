package dev.idempotency.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.Fingerprint;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.Job;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse.Header;
import dev.idempotency.core.StoredResponse;

/**
 * The one binary layout in which every store keeps a record, at most {@value #OVERHEAD}
 * octets larger than the lines and the content of the answer, and than its job.
 *
 * <pre>
 *   0  'I' 'G'            says that this is a record
 *   2  version            {@value #VERSION}
 *   3  state              1 running, 2 done, 3 unknown, 4 queued, 5 cancelled, 6 failed
 *   4  owner token        16 octets
 *  20  lifetime           6 octets, milliseconds
 *  26  lease              6 octets, milliseconds
 *  32  identity check     8 octets
 *  40  flags              1 tainted, 2 has an answer, 4 the answer has a body, 8 is a job
 *  41  fingerprint        4 octets of rules, 32 of digest, 32 of raw digest
 * 109  attempts           variable
 *      answer, if any     status, count of lines, name and value of each, body
 *      job, if it is one  see {@link JobCodec}
 *      CRC-32C            4 octets, of everything before
 * </pre>
 *
 * Counts and lengths are variable: seven bits an octet, lowest first, the highest bit
 * saying that another follows. Numbers of fixed width have their highest octet first.
 * State, owner, lifetime and lease stand at the same place in every version: scripts and
 * statements that compare and set look there.
 *
 * @since 0.1.0
 */
public final class RecordCodec {

	/** Where the octet of the state stands. */
	public static final int STATE_OFFSET = 3;

	/** Where the {@value OwnerToken#LENGTH} octets of the owner's token stand. */
	public static final int OWNER_OFFSET = 4;

	/** Most octets of a record beyond the lines and the content of its answer. */
	public static final int OVERHEAD = 128;

	private static final int VERSION = 1;

	private static final short MAGIC = ('I' << 8) | 'G';

	private static final int HEAD = 109;

	private static final int CHECKSUM = 4;

	private static final int TAINTED = 1;

	private static final int HAS_RESPONSE = 2;

	private static final int HAS_BODY = 4;

	private static final int IS_JOB = 8;

	private RecordCodec() {
	}

	/**
	 * Writes a record.
	 * @param record the record
	 * @return its octets
	 */
	public static byte[] encode(IdempotencyRecord record) {
		RecordWriter out = new RecordWriter(
				OVERHEAD + record.size() + ((record.job() != null) ? JobCodec.OVERHEAD : 0));
		out.fixed(2, MAGIC).fixed(1, VERSION).fixed(1, octetOf(record.state()));
		out.octets(record.owner().bytes()).fixed(6, millis(record.lifetime())).fixed(6, millis(record.lease()));
		out.fixed(8, record.identityCheck()).fixed(1, flags(record)).fixed(4, record.fingerprint().rules());
		out.octets(record.fingerprint().digest()).octets(record.fingerprint().raw());
		out.number(record.attempts());
		if (record.response() != null) {
			write(out, record.response());
		}
		if (record.job() != null) {
			JobCodec.write(out, record.job());
		}
		return out.sealed();
	}

	/**
	 * Reads a record.
	 * @param octets what the store has
	 * @param id the identity under whose name it was found
	 * @return the record
	 * @throws UnreadableRecordException if this is anything else than a whole, undamaged
	 * record of that identity in a version known here
	 */
	public static IdempotencyRecord decode(byte[] octets, RecordId id) {
		ByteBuffer in = opened(octets);
		State state = stateAt(octets);
		if (state == null) {
			throw new UnreadableRecordException("its state is unknown");
		}
		in.position(OWNER_OFFSET);
		OwnerToken owner = new OwnerToken(in.getLong(), in.getLong());
		Duration lifetime = duration(in);
		Duration lease = duration(in);
		long check = in.getLong();
		if (id.check() != RecordId.UNCHECKED && check != id.check()) {
			throw new UnreadableRecordException("it belongs to another identity");
		}
		int flags = in.get();
		Fingerprint fingerprint = new Fingerprint(in.getInt(), octets(in, Fingerprint.LENGTH),
				octets(in, Fingerprint.LENGTH));
		try {
			int attempts = number(in);
			StoredResponse response = ((flags & HAS_RESPONSE) != 0) ? response(in, (flags & HAS_BODY) != 0) : null;
			Job job = ((flags & IS_JOB) != 0) ? JobCodec.read(in) : null;
			if (in.hasRemaining()) {
				throw new UnreadableRecordException("something follows its end");
			}
			return new IdempotencyRecord(state, owner, lifetime, lease, check, fingerprint, (flags & TAINTED) != 0,
					attempts, response, job);
		}
		catch (BufferUnderflowException ex) {
			throw new UnreadableRecordException("it ends too early");
		}
	}

	/** Writes an answer with a body apart from its record, for what encrypts it. */
	static byte[] encodeAnswer(StoredResponse answer) {
		RecordWriter out = new RecordWriter(OVERHEAD + answer.size());
		write(out, answer);
		return out.written();
	}

	/** Reads one that was written so. */
	static StoredResponse decodeAnswer(byte[] octets) {
		try {
			return response(ByteBuffer.wrap(octets), true);
		}
		catch (BufferUnderflowException ex) {
			throw new UnreadableRecordException("its answer ends too early");
		}
	}

	/**
	 * The token a record stands under, without reading the rest.
	 * @param octets what the store has
	 * @return the token, {@code null} where there is no room for one
	 */
	public static @Nullable OwnerToken owner(byte[] octets) {
		if (octets.length < OWNER_OFFSET + OwnerToken.LENGTH) {
			return null;
		}
		ByteBuffer in = ByteBuffer.wrap(octets);
		return new OwnerToken(in.getLong(OWNER_OFFSET), in.getLong(OWNER_OFFSET + Long.BYTES));
	}

	/**
	 * Whether this is a claim; {@code false} for what is no record.
	 * @param octets what the store has
	 */
	public static boolean isRunning(byte[] octets) {
		return stateAt(octets) == State.RUNNING;
	}

	/**
	 * Whether this is a claim on which nothing was done yet that its owner settled: a
	 * running one, or a job that waits; {@code false} for what is no record.
	 * @param octets what the store has
	 */
	public static boolean isClaim(byte[] octets) {
		State state = stateAt(octets);
		return state == State.RUNNING || state == State.QUEUED;
	}

	/**
	 * Whether this is in the same state as that record; {@code false} for what is no
	 * record.
	 * @param octets what the store has
	 * @param record the record
	 */
	public static boolean isAs(byte[] octets, IdempotencyRecord record) {
		return stateAt(octets) == record.state();
	}

	/**
	 * The octet by which a record says that it is in a state.
	 * @param state the state
	 */
	public static int octetOf(State state) {
		return state.ordinal() + 1;
	}

	/**
	 * Whether this is a done outcome; {@code false} for what is no record.
	 * @param octets what the store has
	 */
	public static boolean isDone(byte[] octets) {
		return stateAt(octets) == State.DONE;
	}

	private static @Nullable State stateAt(byte[] octets) {
		State[] states = State.values();
		int state = (octets.length > STATE_OFFSET) ? octets[STATE_OFFSET] - 1 : -1;
		return (state >= 0 && state < states.length) ? states[state] : null;
	}

	/** Milliseconds of a time as it is written, never 0 for a time that is not. */
	public static long millis(Duration time) {
		return Math.max(time.toMillis(), time.isZero() ? 0 : 1);
	}

	private static ByteBuffer opened(byte[] octets) {
		if (octets.length < 3 || octets[0] != 'I' || octets[1] != 'G') {
			throw new UnreadableRecordException("it is not a record");
		}
		if (octets[2] != VERSION) {
			throw new UnreadableRecordException("its version " + (octets[2] & 0xFF) + " is not known here");
		}
		int end = octets.length - CHECKSUM;
		if (end <= HEAD) {
			throw new UnreadableRecordException("it ends too early");
		}
		if (ByteBuffer.wrap(octets).getInt(end) != checksum(octets, end)) {
			throw new UnreadableRecordException("it is damaged");
		}
		return ByteBuffer.wrap(octets, 0, end);
	}

	static int checksum(byte[] octets, int length) {
		CRC32C sum = new CRC32C();
		sum.update(octets, 0, length);
		return (int) sum.getValue();
	}

	private static int flags(IdempotencyRecord record) {
		StoredResponse response = record.response();
		int flags = (record.tainted() ? TAINTED : 0) | ((record.job() != null) ? IS_JOB : 0);
		if (response != null) {
			flags |= HAS_RESPONSE | ((response.body() != null) ? HAS_BODY : 0);
		}
		return flags;
	}

	private static void write(RecordWriter out, StoredResponse response) {
		out.number(response.status()).number(response.headers().size());
		for (Header header : response.headers()) {
			out.text(header.name()).text(header.value());
		}
		if (response.body() != null) {
			out.number(response.body().length).octets(response.body());
		}
	}

	private static StoredResponse response(ByteBuffer in, boolean hasBody) {
		int status = number(in);
		int lines = number(in);
		List<Header> headers = new ArrayList<>(Math.min(lines, 64));
		for (int line = 0; line < lines; line++) {
			headers.add(new Header(text(in), text(in)));
		}
		return new StoredResponse(status, headers, hasBody ? octets(in, number(in)) : null);
	}

	private static Duration duration(ByteBuffer in) {
		return Duration.ofMillis(((long) in.getShort() & 0xFFFF) << 32 | (in.getInt() & 0xFFFF_FFFFL));
	}

	static String text(ByteBuffer in) {
		return new String(octets(in, number(in)), StandardCharsets.UTF_8);
	}

	/** A length that lies is found out before anything is allocated. */
	static byte[] octets(ByteBuffer in, int length) {
		if (length > in.remaining()) {
			throw new BufferUnderflowException();
		}
		byte[] octets = new byte[length];
		in.get(octets);
		return octets;
	}

	static int number(ByteBuffer in) {
		long number = 0;
		for (int shift = 0; shift < 35; shift += 7) {
			int octet = in.get();
			number |= (long) (octet & 0x7F) << shift;
			if (octet >= 0 && number <= Integer.MAX_VALUE) {
				return (int) number;
			}
		}
		throw new UnreadableRecordException("a number in it is too large");
	}

}
