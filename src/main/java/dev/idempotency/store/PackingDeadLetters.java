package dev.idempotency.store;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.Job;
import dev.idempotency.core.RecordId;

/**
 * Encrypts what dead letters hold of requests and answers, as {@link PackingStore} does
 * with what goes into a store. A letter that cannot be decrypted is shown without request
 * and answer: an operator has to see that it is there.
 *
 * @since 0.1.0
 */
public final class PackingDeadLetters implements DeadLetters {

	private final DeadLetters letters;

	private final RecordPacking packing;

	/**
	 * In front of dead letters.
	 * @param letters what keeps them
	 * @param packing the form in which records are kept
	 */
	public PackingDeadLetters(DeadLetters letters, RecordPacking packing) {
		this.letters = letters;
		this.packing = packing;
	}

	@Override
	public Mono<Void> put(DeadLetter letter) {
		return Mono.defer(() -> this.letters.put(letter.withRecord(this.packing.pack(id(letter), letter.record()))));
	}

	@Override
	public Mono<DeadLetter> find(String id) {
		return this.letters.find(id).map(this::unpacked);
	}

	@Override
	public Mono<Boolean> remove(DeadLetter letter) {
		return this.letters.remove(letter);
	}

	@Override
	public Mono<Page> list(@Nullable String route, long offset, int limit) {
		return this.letters.list(route, offset, limit)
			.map((page) -> new Page(page.total(), page.letters().stream().map(this::unpacked).toList()));
	}

	@Override
	public Mono<Summary> summary() {
		return this.letters.summary();
	}

	private DeadLetter unpacked(DeadLetter letter) {
		try {
			return letter.withRecord(this.packing.unpack(id(letter), letter.record()));
		}
		catch (UnreadableRecordException ex) {
			return letter.withRecord(withoutContent(letter.record()));
		}
	}

	/** What is sealed must not be taken for what was sent. */
	private static IdempotencyRecord withoutContent(IdempotencyRecord record) {
		Job job = record.job();
		IdempotencyRecord bare = record.withResponse(null);
		return (job != null) ? bare.withJob(job.withRequest(null)) : bare;
	}

	private static RecordId id(DeadLetter letter) {
		return letter.job().id().recordId();
	}

}
