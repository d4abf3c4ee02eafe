package dev.idempotency.store.memory;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.DeadLetters;

/**
 * Dead letters in the memory of this process. There is room for {@value #ROOM}; beyond
 * that the oldest goes.
 *
 * @since 0.1.0
 */
public final class MemoryDeadLetters implements DeadLetters {

	static final int ROOM = 10_000;

	private final Map<String, DeadLetter> letters = new LinkedHashMap<>();

	private final InstantSource clock;

	/**
	 * No letters.
	 * @param clock says when a letter is too old
	 */
	public MemoryDeadLetters(InstantSource clock) {
		this.clock = clock;
	}

	@Override
	public Mono<Void> put(DeadLetter letter) {
		return Mono.fromRunnable(() -> {
			synchronized (this.letters) {
				this.letters.remove(letter.id());
				this.letters.put(letter.id(), letter);
				if (this.letters.size() > ROOM) {
					this.letters.remove(this.letters.keySet().iterator().next());
				}
			}
		});
	}

	@Override
	public Mono<DeadLetter> find(String id) {
		return Mono.fromSupplier(() -> {
			synchronized (this.letters) {
				return this.letters.get(id);
			}
		});
	}

	@Override
	public Mono<Boolean> remove(DeadLetter letter) {
		return Mono.fromSupplier(() -> {
			synchronized (this.letters) {
				DeadLetter there = this.letters.get(letter.id());
				boolean same = there != null && there.time().equals(letter.time());
				if (same) {
					this.letters.remove(letter.id());
				}
				return same;
			}
		});
	}

	@Override
	public Mono<Page> list(@Nullable String route, long offset, int limit) {
		return Mono.fromSupplier(() -> {
			List<DeadLetter> all = newestFirst(route);
			return new Page(all.size(), all.stream().skip(offset).limit(limit).toList());
		});
	}

	@Override
	public Mono<Summary> summary() {
		return Mono.fromSupplier(() -> {
			List<DeadLetter> all = newestFirst(null);
			return all.isEmpty() ? Summary.NONE : new Summary(all.size(), all.get(all.size() - 1).time());
		});
	}

	private List<DeadLetter> newestFirst(@Nullable String route) {
		Instant tooOld = this.clock.instant().minus(RETENTION);
		synchronized (this.letters) {
			this.letters.values().removeIf((letter) -> letter.time().isBefore(tooOld));
			return this.letters.values()
				.stream()
				.filter((letter) -> route == null || route.equals(letter.job().route()))
				.sorted(Comparator.comparing(DeadLetter::time).reversed())
				.toList();
		}
	}

}
