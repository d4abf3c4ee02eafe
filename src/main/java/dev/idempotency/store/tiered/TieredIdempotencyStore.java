package dev.idempotency.store.tiered;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreStatus;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.Kept;
import dev.idempotency.store.PairedStore;

/**
 * A fast store as a filter in front of a guard that does not forget. Most duplicates are
 * answered by the fast one; nothing is carried out before the guard has the claim.
 *
 * <p>
 * The fast store alone may say that an operation is done, or running within its lease;
 * that the key is another request's only once that one is done. Whatever else it says,
 * the guard decides, and what the fast store had lost or had outdated is copied back to
 * it. Without the fast store the guard serves alone; without the guard the fast one
 * replays what it has and no new key is taken.
 *
 * @since 0.1.0
 */
public final class TieredIdempotencyStore implements IdempotencyStore, AutoCloseable {

	private final PairedStore fast;

	private final PairedStore guard;

	private final Runnable degraded;

	/**
	 * Two stores as one; both are closed with it.
	 * @param fast is asked first, and may forget
	 * @param guard decides, and does not forget
	 * @param degraded told of each claim for which the fast store could not be asked
	 */
	public TieredIdempotencyStore(PairedStore fast, PairedStore guard, Runnable degraded) {
		this.fast = fast;
		this.guard = guard;
		this.degraded = degraded;
		fast.whenWithdrawn((id, token) -> withdrawCopies(guard, fast, id, token));
		guard.whenWithdrawn((id, token) -> withdrawCopies(fast, guard, id, token));
	}

	@Override
	public String name() {
		return "tiered";
	}

	/** New keys need the guard; without the fast store everything else still works. */
	@Override
	public StoreStatus status() {
		StoreStatus decisive = this.guard.status();
		return new StoreStatus(decisive.serving(),
				Map.of(this.fast.name(), view(this.fast.status()), this.guard.name(), view(decisive)));
	}

	@Override
	public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
		return asked(this.fast.claim(id, claim), (seen) -> decide(id, claim, seen), () -> {
			this.degraded.run();
			// The claim in doubt is withdrawn by its token, which must not be ours then.
			return this.guard.claim(id, claim.underNewToken());
		});
	}

	/** Neither an owner who is alive nor an outcome that is known is taken over. */
	@Override
	public Mono<Claim> takeOver(RecordId id, Claim.Open seen, IdempotencyRecord claim) {
		return asked(this.fast.look(id).singleOptional(), (there) -> {
			Claim known = there.map(Kept::claim).filter((found) -> isSure(claim, found)).orElse(null);
			return (known != null) ? Mono.just(known) : takeOver(id, seen, claim, there.map(Kept::record).orElse(null));
		}, () -> this.guard.takeOver(id, seen, claim));
	}

	@Override
	public Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
		return guardFirst(id, claim, (store) -> store.renew(id, claim));
	}

	@Override
	public Mono<Ownership> settle(RecordId id, IdempotencyRecord settled) {
		return guardFirst(id, settled, (store) -> store.settle(id, settled));
	}

	@Override
	public Mono<Ownership> release(RecordId id, OwnerToken owner) {
		return guardFirst(id, null, (store) -> store.release(id, owner));
	}

	/**
	 * For operators, whose actions need both; and for jobs, each step of which the guard
	 * decides, so that they go on without the fast store.
	 */
	@Override
	public Mono<Claim> find(RecordId id) {
		return this.guard.look(id).singleOptional().flatMap((decisive) -> {
			Mono<Optional<Kept>> quick = this.fast.look(id).singleOptional();
			return (isJob(decisive) ? quick.onErrorReturn(StoreUnavailableException.class, Optional.empty()) : quick)
				.flatMap((there) -> Mono.justOrEmpty(better(decisive, there).map(Kept::claim)));
		});
	}

	private static boolean isJob(Optional<Kept> kept) {
		return kept.map(Kept::record).filter((record) -> record.job() != null).isPresent();
	}

	@Override
	public Mono<Ownership> forget(RecordId id, OwnerToken seen) {
		return this.fast.look(id)
			.singleOptional()
			.flatMap((there) -> (there.map(Kept::claim).orElse(null) instanceof Claim.Running)
					? Mono.just(Ownership.FENCED)
					: forget(id, seen, there.map((kept) -> kept.claim().ownerIfAny()).orElse(null)));
	}

	@Override
	public Mono<Boolean> enter(RecordId id, OwnerToken visitor, Duration atMost) {
		return this.guard.enter(id, visitor, atMost);
	}

	@Override
	public Mono<Void> leave(RecordId id, OwnerToken visitor) {
		return this.guard.leave(id, visitor);
	}

	@Override
	public void close() {
		this.fast.close();
		this.guard.close();
	}

	private Mono<Claim> decide(RecordId id, IdempotencyRecord mine, Claim seen) {
		if (seen instanceof Claim.Won won) {
			return insert(id, won.record());
		}
		return isSure(mine, seen) ? Mono.just(seen) : ask(id, seen);
	}

	/**
	 * A claim that is here may be one that the guard is about to refuse: it says that
	 * somebody is at work, but not that the key is another request's.
	 */
	private static boolean isSure(IdempotencyRecord mine, Claim seen) {
		return isSure(seen) && !(seen instanceof Claim.Running running
				&& !mine.fingerprint().matches(running.record().fingerprint()));
	}

	/**
	 * What the fast store may say without the guard. It may not ask for patience with an
	 * owner who is silent, even where nobody may judge him yet: the guard may have heard
	 * him.
	 */
	private static boolean isSure(Claim seen) {
		return seen instanceof Claim.Finished || seen instanceof Claim.Running running && !running.leaseLeft().isZero();
	}

	/** Nothing is forwarded before the guard has the claim; what stands there decides. */
	private Mono<Claim> insert(RecordId id, IdempotencyRecord mine) {
		return this.guard.claim(id, mine)
			.doOnCancel(() -> withdrawUnlessJob(id, mine).subscribe())
			.onErrorResume((failure) -> withdrawUnlessJob(id, mine).then(Mono.error(failure)))
			.flatMap((claim) -> copyOfGuard(id, mine, claim).thenReturn(claim));
	}

	/**
	 * Another gateway may have met a job here, copied it to the guard and told a client
	 * so: it stays, and its ticket finds it.
	 */
	private Mono<Void> withdrawUnlessJob(RecordId id, IdempotencyRecord mine) {
		return (mine.state() == IdempotencyRecord.State.RUNNING) ? withdraw(id, mine) : Mono.empty();
	}

	/**
	 * Takes a claim out of the fast store, now or when that answers again. The row, if it
	 * was written, is withdrawn by the guard itself.
	 */
	private Mono<Void> withdraw(RecordId id, IdempotencyRecord mine) {
		return this.fast.release(id, mine.owner()).onErrorComplete().then();
	}

	/**
	 * Another gateway may have met the claim before it was withdrawn from one tier, and
	 * copied it to the other one; and back again, before that was free of it. A store
	 * that fails here tries again by itself, and then comes back to this.
	 */
	private static Mono<?> withdrawCopies(PairedStore there, PairedStore here, RecordId id, OwnerToken token) {
		return there.release(id, token).then(here.release(id, token));
	}

	private Mono<?> copyOfGuard(RecordId id, IdempotencyRecord mine, Claim claim) {
		if (claim instanceof Claim.Won won) {
			return won.record().owner().equals(mine.owner()) ? Mono.empty()
					: this.fast.put(id, mine, won.record(), won.record().lifetime())
						.onErrorComplete(StoreUnavailableException.class);
		}
		return this.guard.look(id)
			.flatMap((kept) -> copyToFast(id, mine, kept))
			.onErrorComplete(StoreUnavailableException.class)
			.filter((copied) -> copied)
			.switchIfEmpty(Mono.defer(() -> withdraw(id, mine).thenReturn(false)));
	}

	/**
	 * Lapsed, unknown or unreadable: the guard knows better, and if it knows nothing, a
	 * claim nobody settled still is no free key.
	 */
	private Mono<Claim> ask(RecordId id, Claim seen) {
		return this.guard.look(id)
			.flatMap((kept) -> refresh(id, seen, kept).onErrorComplete(StoreUnavailableException.class)
				.thenReturn(kept.claim()))
			.switchIfEmpty(Mono.defer(() -> copyToGuard(id, seen)));
	}

	private Mono<Boolean> refresh(RecordId id, Claim seen, Kept kept) {
		IdempotencyRecord there = Kept.recordOf(seen);
		IdempotencyRecord better = kept.record();
		boolean outdated = there != null && better != null && (isSure(kept.claim()) || !isSame(there, better));
		return outdated ? copyToFast(id, there, kept) : Mono.empty();
	}

	private static boolean isSame(IdempotencyRecord one, IdempotencyRecord other) {
		return one.owner().equals(other.owner()) && one.state() == other.state();
	}

	private Mono<Boolean> copyToFast(RecordId id, @Nullable IdempotencyRecord seen, Kept kept) {
		IdempotencyRecord record = kept.record();
		return (record != null) ? this.fast.put(id, seen, record, kept.life()) : Mono.just(false);
	}

	private Mono<Claim> copyToGuard(RecordId id, Claim seen) {
		if (!(seen instanceof Claim.Open open)) {
			return Mono.just(seen);
		}
		Duration life = open.record().lifetime().minus(open.age());
		return this.guard.put(id, null, open.record(), life)
			.flatMap(
					(written) -> written ? Mono.just(seen) : this.guard.look(id).map(Kept::claim).defaultIfEmpty(seen));
	}

	private Mono<Claim> takeOver(RecordId id, Claim.Open seen, IdempotencyRecord claim,
			@Nullable IdempotencyRecord there) {
		return this.guard.takeOver(id, seen, claim).flatMap((taken) -> {
			Mono<?> copied = (taken instanceof Claim.Won won)
					? this.fast.put(id, there, won.record(), won.record().lifetime()) : Mono.empty();
			return copied.onErrorComplete(StoreUnavailableException.class).thenReturn(taken);
		});
	}

	/**
	 * An owner's step: the guard's word counts. If it cannot be had the fast store is
	 * told all the same, and the caller has to come again.
	 */
	private Mono<Ownership> guardFirst(RecordId id, @Nullable IdempotencyRecord record,
			Function<PairedStore, Mono<Ownership>> step) {
		return asked(
				step.apply(this.guard), (ownership) -> (ownership == Ownership.OURS)
						? follow(id, record, step).thenReturn(ownership) : Mono.just(ownership),
				(failure) -> follow(id, null, step).then(Mono.error(failure)));
	}

	private Mono<Void> follow(RecordId id, @Nullable IdempotencyRecord record,
			Function<PairedStore, Mono<Ownership>> step) {
		return step.apply(this.fast)
			.filter((ownership) -> ownership == Ownership.FENCED && record != null)
			.flatMap((fenced) -> this.fast.look(id))
			.flatMap((kept) -> overwrite(id, kept.record(), record))
			.then()
			.onErrorResume(StoreUnavailableException.class, (failure) -> withoutFast(id, record));
	}

	/**
	 * A claim that is over must not say that it runs until its lease has lapsed: it is
	 * taken out of the fast store as soon as that answers.
	 */
	private Mono<Void> withoutFast(RecordId id, @Nullable IdempotencyRecord record) {
		return (record != null && record.state() != IdempotencyRecord.State.RUNNING) ? withdraw(id, record)
				: Mono.empty();
	}

	/** Somebody claimed in the fast store what it had lost; the guard says it is ours. */
	private Mono<Boolean> overwrite(RecordId id, @Nullable IdempotencyRecord there,
			@Nullable IdempotencyRecord record) {
		return (there != null && record != null) ? this.fast.put(id, there, record, record.lifetime()) : Mono.empty();
	}

	private static Optional<Kept> better(Optional<Kept> decisive, Optional<Kept> quick) {
		boolean done = decisive.map(Kept::claim).orElse(null) instanceof Claim.Finished;
		return (!done && quick.map(Kept::claim).filter(TieredIdempotencyStore::isSure).isPresent()) ? quick
				: decisive.or(() -> quick);
	}

	private Mono<Ownership> forget(RecordId id, OwnerToken seen, @Nullable OwnerToken there) {
		return this.guard.forget(id, seen)
			.flatMap((ownership) -> (ownership == Ownership.OURS && there != null) ? this.fast.forget(id, there)
					: Mono.just(ownership));
	}

	/**
	 * Goes on with an answer or without, but never takes a later failure for this one.
	 */
	private static <A, T> Mono<T> asked(Mono<A> question, Function<A, Mono<T>> answered,
			Function<StoreUnavailableException, Mono<T>> unavailable) {
		return question.map((answer) -> Mono.defer(() -> answered.apply(answer)))
			.onErrorResume(StoreUnavailableException.class, (failure) -> Mono.just(unavailable.apply(failure)))
			.flatMap(Function.identity());
	}

	private static <A, T> Mono<T> asked(Mono<A> question, Function<A, Mono<T>> answered,
			java.util.function.Supplier<Mono<T>> unavailable) {
		return asked(question, answered, (failure) -> unavailable.get());
	}

	private static Map<String, Object> view(StoreStatus status) {
		Map<String, Object> view = new LinkedHashMap<>(status.facts());
		view.put("serving", status.serving());
		return view;
	}

}
