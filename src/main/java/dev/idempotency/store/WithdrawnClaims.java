package dev.idempotency.store;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Claim;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;

/**
 * Claims that were answered with an error although the store may still apply them: a
 * server that wakes up carries out what is in its socket. Nothing was ever forwarded
 * under them, so each is undone by its token, again and again, until the store has
 * answered long enough after the last send that the claim cannot arrive any more.
 *
 * @since 0.1.0
 */
public final class WithdrawnClaims {

	/** How many are remembered; when so many are open no further claim is sent. */
	public static final int CAPACITY = 10_000;

	/** The same for the answers that lost take-overs hold in memory, in octets. */
	private static final long ANSWERS_CAPACITY = 32L << 20;

	/** Keeps a long list from crowding out the traffic of a store that just came back. */
	private static final int BATCH = 500;

	/** The connections of a pool are there for requests first. */
	private static final int AT_ONCE = 4;

	private static final int LIMITS_TO_WAIT = 4;

	private final Map<OwnerToken, Withdrawn> open = new ConcurrentHashMap<>();

	private final Queue<Withdrawn> queue = new ConcurrentLinkedQueue<>();

	private final AtomicLong answers = new AtomicLong();

	private final Duration settleTime;

	private final StoreContact contact;

	private final LongSupplier nanoTime;

	private final AtomicBoolean undoing = new AtomicBoolean();

	private volatile BiFunction<RecordId, OwnerToken, Mono<?>> whenUndone = (id, token) -> Mono.empty();

	/**
	 * An empty list.
	 * @param timeLimit time limit of one call of the store
	 * @param contact contact with the store
	 * @param nanoTime monotonic nanoseconds
	 */
	public WithdrawnClaims(Duration timeLimit, StoreContact contact, LongSupplier nanoTime) {
		this.settleTime = timeLimit.multipliedBy(LIMITS_TO_WAIT);
		this.contact = contact;
		this.nanoTime = nanoTime;
	}

	/**
	 * Says what is to be done once a claim is undone for good.
	 * @param step takes the key's identity and the claim's token
	 */
	public void whenUndone(BiFunction<RecordId, OwnerToken, Mono<?>> step) {
		this.whenUndone = step;
	}

	/** Whether claims have to be refused because their loss could not be remembered. */
	public boolean isFull() {
		return this.open.size() >= CAPACITY || this.answers.get() >= ANSWERS_CAPACITY;
	}

	/** How many are open. */
	public int size() {
		return this.open.size();
	}

	/**
	 * Withdraws a claim that has just been sent.
	 * @param id the key's identity
	 * @param token token of the claim
	 * @param before what a take-over replaced and what has to stand there again;
	 * {@code null} for a claim of a free key
	 */
	public void add(RecordId id, OwnerToken token, Claim.@Nullable Open before) {
		Withdrawn withdrawn = new Withdrawn(id, token, before, this.nanoTime.getAsLong());
		if (this.open.put(token, withdrawn) == null) {
			this.answers.addAndGet(withdrawn.answerSize());
			this.queue.add(withdrawn);
		}
	}

	/**
	 * Looks a token up.
	 * @param token the token
	 * @return its claim, {@code null} if it was not withdrawn
	 */
	public @Nullable Withdrawn get(OwnerToken token) {
		return this.open.isEmpty() ? null : this.open.get(token);
	}

	/** Whether contact is so good that nothing sent earlier can still be on its way. */
	public boolean nothingUnderway() {
		return this.contact.unbrokenFor(this.settleTime);
	}

	/**
	 * Tries to undo what is open; called about once in a time limit.
	 * @param undo one step that undoes a claim, and is complete when the store has
	 * answered that nothing is left of it
	 */
	public void undo(Function<Withdrawn, Mono<?>> undo) {
		if (this.undoing.compareAndSet(false, true)) {
			Flux.range(0, Math.min(this.queue.size(), BATCH))
				.flatMap((number) -> Mono.fromSupplier(this.queue::poll).flatMap((next) -> undo(next.token(), undo)),
						AT_ONCE)
				.doFinally((signal) -> this.undoing.set(false))
				.subscribe();
		}
	}

	private Mono<Void> undo(OwnerToken token, Function<Withdrawn, Mono<?>> undo) {
		Withdrawn withdrawn = this.open.get(token);
		return (withdrawn != null) ? undo(withdrawn, undo) : Mono.empty();
	}

	private Mono<Void> undo(Withdrawn withdrawn, Function<Withdrawn, Mono<?>> undo) {
		return Mono.defer(() -> {
			boolean last = cannotArriveAnyMore(withdrawn);
			return undo.apply(withdrawn).then(Mono.defer(() -> answered(withdrawn, last)));
		}).onErrorResume((failure) -> {
			this.queue.add(withdrawn);
			return Mono.empty();
		});
	}

	private Mono<Void> answered(Withdrawn withdrawn, boolean last) {
		if (!last || !this.open.remove(withdrawn.token(), withdrawn)) {
			this.queue.add(withdrawn);
			return Mono.empty();
		}
		this.answers.addAndGet(-withdrawn.answerSize());
		return this.whenUndone.apply(withdrawn.id(), withdrawn.token()).onErrorComplete().then();
	}

	/**
	 * The time since the send alone would not do: a server that was frozen for longer may
	 * read a newer connection before an older one.
	 */
	private boolean cannotArriveAnyMore(Withdrawn withdrawn) {
		return this.nanoTime.getAsLong() - withdrawn.sentAt() >= this.settleTime.toNanos() && nothingUnderway();
	}

	/**
	 * A withdrawn claim.
	 *
	 * @param id the key's identity
	 * @param token token of the claim
	 * @param before what has to stand there again; {@code null} if nothing
	 * @param sentAt when it was sent, in monotonic nanoseconds
	 */
	public record Withdrawn(RecordId id, OwnerToken token, Claim.@Nullable Open before, long sentAt) {

		private long answerSize() {
			return (this.before != null) ? this.before.record().size() : 0;
		}

	}

}
