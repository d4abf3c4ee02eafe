package dev.idempotency.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Keeps dead letters until an operator decides about them, or {@link #RETENTION} is over.
 * Errors are those of a store.
 *
 * @since 0.1.0
 */
public interface DeadLetters {

	/** How long a letter is kept that nobody decides about. */
	Duration RETENTION = Duration.ofDays(30);

	/**
	 * Keeps a letter, in the place of an older one of the same id.
	 * @param letter the letter
	 */
	Mono<Void> put(DeadLetter letter);

	/**
	 * Looks a letter up.
	 * @param id {@link DeadLetter#id()}
	 * @return the letter, empty if there is none
	 */
	Mono<DeadLetter> find(String id);

	/**
	 * Removes a letter, unless a newer one has taken its place.
	 * @param letter the letter as it was seen
	 * @return whether it was there
	 */
	Mono<Boolean> remove(DeadLetter letter);

	/**
	 * Lists letters, the newest first.
	 * @param route of this route only; {@code null} for all
	 * @param offset how many to leave out
	 * @param limit how many at most
	 */
	Mono<Page> list(@Nullable String route, long offset, int limit);

	/** How many there are and how old the oldest is. */
	Mono<Summary> summary();

	/**
	 * Some letters.
	 *
	 * @param total how many there are in all
	 * @param letters those asked for
	 */
	record Page(long total, List<DeadLetter> letters) {
	}

	/**
	 * All letters in two figures.
	 *
	 * @param count how many
	 * @param oldest time of the oldest, {@code null} if there is none
	 */
	record Summary(long count, @Nullable Instant oldest) {

		/** No letters. */
		public static final Summary NONE = new Summary(0, null);

	}

}
