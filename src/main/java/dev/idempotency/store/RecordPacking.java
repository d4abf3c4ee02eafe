package dev.idempotency.store;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobRequest;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;

/**
 * The form in which the answer and the request in a record are kept: an answer compressed
 * where that is worth it, then both encrypted if a key is there to write with. What was
 * kept in any form is read whatever the settings are now.
 *
 * @since 0.1.0
 */
public final class RecordPacking {

	/**
	 * Name of the line of an answer that says under which key, and the method of such a
	 * request: neither can be one of HTTP's.
	 */
	private static final String SEALED = ":sealed";

	private final boolean compress;

	private final RecordCipher cipher;

	/**
	 * A packing.
	 * @param compress whether bodies are compressed where that is worth it
	 * @param cipher what encrypts
	 */
	public RecordPacking(boolean compress, RecordCipher cipher) {
		this.compress = compress;
		this.cipher = cipher;
	}

	IdempotencyRecord pack(RecordId id, IdempotencyRecord record) {
		StoredResponse answer = record.response();
		IdempotencyRecord packed = (answer == null || !answer.isReplayable()) ? record
				: record.withResponse(pack(answer, id, record.owner()));
		Job job = record.job();
		String key = this.cipher.active();
		return (job == null || job.request() == null || key == null) ? packed
				: packed.withJob(job.withRequest(seal(key, job.request(), id, record.owner())));
	}

	/**
	 * Gives answer and request their own form back.
	 * @throws UnreadableRecordException if they cannot be decrypted or expanded
	 */
	IdempotencyRecord unpack(RecordId id, IdempotencyRecord record) {
		StoredResponse kept = record.response();
		IdempotencyRecord unpacked = (kept == null || !Marked.isMarked(kept)) ? record
				: record.withResponse(unpack(kept, id, record.owner()));
		Job job = record.job();
		JobRequest request = (job != null) ? job.request() : null;
		return (job == null || request == null || !request.method().equals(SEALED)) ? unpacked : unpacked.withJob(job
			.withRequest(JobCodec.decodeRequest(this.cipher.open(request.uri(), request.body(), id, record.owner()))));
	}

	/** The same with what a store has said. */
	Claim unpack(RecordId id, Claim claim) {
		IdempotencyRecord record = claim.recordIfAny();
		if (record == null) {
			return claim;
		}
		try {
			return with(claim, unpack(id, record));
		}
		catch (UnreadableRecordException ex) {
			return new Claim.Unreadable(ex.reason(), record.owner());
		}
	}

	private static Claim with(Claim claim, IdempotencyRecord record) {
		if (claim instanceof Claim.Finished finished) {
			return new Claim.Finished(record, finished.age());
		}
		if (claim instanceof Claim.Running running) {
			return new Claim.Running(record, running.leaseLeft());
		}
		return (claim instanceof Claim.Open open) ? with(open, record) : new Claim.Won(record);
	}

	/** What was seen, as it is kept. */
	Claim.Open pack(RecordId id, Claim.Open seen) {
		return with(seen, pack(id, seen.record()));
	}

	private static Claim.Open with(Claim.Open seen, IdempotencyRecord record) {
		return (seen instanceof Claim.UnknownOutcome) ? new Claim.UnknownOutcome(record, seen.age())
				: new Claim.AtRest(record, seen.age());
	}

	private StoredResponse pack(StoredResponse answer, RecordId id, OwnerToken owner) {
		StoredResponse small = this.compress ? BodyCompression.compress(answer) : answer;
		String key = this.cipher.active();
		return (key == null) ? small : Marked.with(SEALED, key, answer.status(), List.of(),
				this.cipher.seal(key, RecordCodec.encodeAnswer(small), id, owner));
	}

	private StoredResponse unpack(StoredResponse kept, RecordId id, OwnerToken owner) {
		String key = Marked.value(kept, SEALED);
		byte @Nullable [] sealed = kept.body();
		return BodyCompression.expand((key == null || sealed == null) ? kept
				: RecordCodec.decodeAnswer(this.cipher.open(key, sealed, id, owner)));
	}

	private JobRequest seal(String key, JobRequest request, RecordId id, OwnerToken owner) {
		byte[] sealed = this.cipher.seal(key, JobCodec.encodeRequest(request), id, owner);
		return new JobRequest(SEALED, key, List.of(), sealed, null, Map.of(), "");
	}

}
