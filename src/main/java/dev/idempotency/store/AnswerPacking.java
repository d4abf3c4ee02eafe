package dev.idempotency.store;

import java.util.List;

import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;

/**
 * The form in which an answer is kept: compressed where that is worth it, then encrypted
 * if a key is there to write with. Answers kept in any form are read whatever the
 * settings are now.
 */
final class AnswerPacking {

	/** Name of the line that says under which key. */
	private static final String MARK = ":sealed";

	private final boolean compress;

	private final RecordCipher cipher;

	AnswerPacking(boolean compress, RecordCipher cipher) {
		this.compress = compress;
		this.cipher = cipher;
	}

	StoredResponse pack(StoredResponse answer, RecordId id, OwnerToken owner) {
		StoredResponse small = this.compress ? BodyCompression.compress(answer) : answer;
		String key = this.cipher.active();
		return (key == null) ? small : Marked.with(MARK, key, answer.status(), List.of(),
				this.cipher.seal(key, RecordCodec.encodeAnswer(small), id, owner));
	}

	/**
	 * Gives the answer its own form back.
	 * @throws UnreadableRecordException if it cannot be decrypted or expanded
	 */
	StoredResponse unpack(StoredResponse kept, RecordId id, OwnerToken owner) {
		String key = Marked.value(kept, MARK);
		byte[] sealed = kept.body();
		return BodyCompression.expand((key == null || sealed == null) ? kept
				: RecordCodec.decodeAnswer(this.cipher.open(key, sealed, id, owner)));
	}

}
