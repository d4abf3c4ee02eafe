package dev.idempotency.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RecordId;

/**
 * A store that can stand beside another one: what one of them has lost is copied from the
 * other, with what is left of its life.
 *
 * @since 0.1.0
 */
public interface PairedStore extends IdempotencyStore, AutoCloseable {

	/**
	 * Looks at a record and its remaining life, by the rules of {@link #find}.
	 * @param id the key's identity
	 * @return the record; empty if there is none
	 */
	Mono<Kept> look(RecordId id);

	/**
	 * Copies a record here, if what stands here still is what was seen.
	 * @param id the key's identity
	 * @param seen what was seen here: its owner and its state are compared; {@code null}
	 * if nothing was
	 * @param record the record
	 * @param life what is left of its life
	 * @return whether it was written
	 */
	Mono<Boolean> put(RecordId id, @Nullable IdempotencyRecord seen, IdempotencyRecord record, Duration life);

	/** Lets go of connections and threads, without waiting for it. */
	@Override
	void close();

}
