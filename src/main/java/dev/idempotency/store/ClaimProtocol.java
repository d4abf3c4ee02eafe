package dev.idempotency.store;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.JobQueue.Submission;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.WithdrawnClaims.Withdrawn;

/**
 * How a claim is made in a store whose replies may be lost: a claim recognises itself,
 * one that ends in doubt is withdrawn, and whoever meets a withdrawn one takes its place.
 *
 * @since 0.1.0
 */
public final class ClaimProtocol {

	/** How often a key may change under a claim before the claim gives up. */
	private static final int TRIES = 4;

	/** Where the remaining life was not read, an outcome counts as new. */
	private static final Duration UNREAD = Duration.ofDays(365_000);

	private final ClaimSteps steps;

	private final RecordReader reader;

	private final WithdrawnClaims withdrawn;

	private final CallLimit limit;

	/**
	 * For one store.
	 * @param steps what the store can do
	 * @param reader reads what is met
	 * @param withdrawn remembers claims in doubt
	 * @param limit bounds each call
	 */
	public ClaimProtocol(ClaimSteps steps, RecordReader reader, WithdrawnClaims withdrawn, CallLimit limit) {
		this.steps = steps;
		this.reader = reader;
		this.withdrawn = withdrawn;
		this.limit = limit;
	}

	/** See {@link dev.idempotency.core.IdempotencyStore#claim}. */
	public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
		return pending(id, claim, null, (pending) -> claim(pending, TRIES));
	}

	/** See {@link dev.idempotency.core.IdempotencyStore#takeOver}. */
	public Mono<Claim> takeOver(RecordId id, Claim.Open seen, IdempotencyRecord claim) {
		return pending(id, claim, seen, (pending) -> takeOver(pending, seen));
	}

	/**
	 * Claims a key for a job, in one step with the ticket that goes with it.
	 * @param id the key's identity
	 * @param claim the queued record
	 * @param step that step
	 * @return what became of it
	 */
	public Mono<Submission> submit(RecordId id, IdempotencyRecord claim, Function<PendingClaim, Mono<Met>> step) {
		return pending(id, claim, null, (pending) -> step.apply(pending).flatMap((met) -> submitted(pending, met)));
	}

	/**
	 * A claim that is being withdrawn is not adopted here, since the ticket that goes
	 * with it is another job's: it will soon be gone.
	 */
	private Mono<Submission> submitted(PendingClaim pending, Met met) {
		if (met instanceof Met.Written) {
			return Mono.just(new Submission.Answered(new Claim.Won(pending.claim())));
		}
		pending.notApplied();
		if (met instanceof Met.NoRoom) {
			return Mono.just(new Submission.Full());
		}
		if (!(met instanceof Met.Present there) || withdrawn(there) != null) {
			return Mono.error(new StoreUnavailableException("Another claim is just being made or withdrawn", null));
		}
		return Mono.just(new Submission.Answered(
				this.reader.read(pending.id(), there.octets(), Objects.requireNonNullElse(there.remaining(), UNREAD))));
	}

	/**
	 * Looks at a record as others may see it: a withdrawn claim does not count.
	 * @param id the key's identity
	 * @return the record and its remaining life; empty if there is none
	 */
	public Mono<Kept> look(RecordId id) {
		return this.limit.limited(this.steps.look(id).flatMap((met) -> Mono.justOrEmpty(kept(id, met))));
	}

	/**
	 * Undoes a withdrawn claim, for {@link WithdrawnClaims#undo}.
	 * @param lost the claim
	 * @return complete when the store has answered that nothing is left of it
	 */
	public Mono<?> undo(Withdrawn lost) {
		Claim.Open before = lost.before();
		return (before == null) ? this.limit.limited(this.steps.release(lost.id(), lost.token()))
				: this.limit.limited(restore(lost, before));
	}

	private <T> Mono<T> pending(RecordId id, IdempotencyRecord claim, Claim.@Nullable Open before,
			Function<PendingClaim, Mono<T>> attempt) {
		return Mono.defer(() -> {
			if (this.withdrawn.isFull()) {
				return Mono.error(new StoreUnavailableException("Too many claims are in doubt", null));
			}
			PendingClaim pending = new PendingClaim(id, underUnusedToken(claim), before);
			return pending.guard(this.limit.limited(attempt.apply(pending)), this.withdrawn);
		});
	}

	/** A token that is being withdrawn must not win: its record would be deleted. */
	private IdempotencyRecord underUnusedToken(IdempotencyRecord claim) {
		return (this.withdrawn.get(claim.owner()) == null) ? claim : claim.underNewToken();
	}

	private Mono<Claim> claim(PendingClaim pending, int tries) {
		if (tries == 0) {
			return Mono.error(new StoreUnavailableException("The record changed at each try", null));
		}
		return this.steps.claim(pending).flatMap((met) -> claimed(pending, met, tries));
	}

	private Mono<Claim> takeOver(PendingClaim pending, Claim.Open seen) {
		boolean judged = !seen.lapsed() || this.reader.mayJudge(seen.record());
		Mono<Met> step = judged ? this.steps.takeOver(pending, seen.record()) : this.steps.look(pending.id());
		return step.flatMap((met) -> claimed(pending, met, TRIES));
	}

	private Mono<Claim> claimed(PendingClaim pending, Met met, int tries) {
		if (met instanceof Met.Written) {
			return Mono.just(new Claim.Won(pending.claim()));
		}
		if (met instanceof Met.Present there) {
			boolean ours = pending.claim().owner().equals(RecordCodec.owner(there.octets()))
					&& RecordCodec.isAs(there.octets(), pending.claim());
			return ours ? Mono.just(new Claim.Won(pending.claim())) : meet(pending, there, tries);
		}
		pending.notApplied();
		return claim(pending, tries - 1);
	}

	private Mono<Claim> meet(PendingClaim pending, Met.Present there, int tries) {
		pending.notApplied();
		Withdrawn lost = withdrawn(there);
		if (lost != null) {
			Claim.Open before = lost.before();
			return (before != null) ? giveBack(pending, lost, before, tries)
					: this.steps.adopt(pending, lost.token()).flatMap((met) -> claimed(pending, met, tries));
		}
		if (there.remaining() != null) {
			return Mono.just(this.reader.read(pending.id(), there.octets(), there.remaining()));
		}
		Claim ended = this.reader.read(pending.id(), there.octets(), UNREAD);
		return (ended instanceof Claim.Finished || ended instanceof Claim.Unreadable) ? Mono.just(ended)
				: this.steps.look(pending.id()).flatMap((met) -> claimed(pending, met, tries));
	}

	/** The outcome was unknown before the take-over that was lost, and still is. */
	private Mono<Claim> giveBack(PendingClaim pending, Withdrawn lost, Claim.Open before, int tries) {
		return restore(lost, before).flatMap((restored) -> restored ? Mono.just(before) : claim(pending, tries - 1));
	}

	private Mono<Boolean> restore(Withdrawn lost, Claim.Open before) {
		return this.steps.restore(lost.id(), lost.token(), before.record(), lifeOf(before));
	}

	private @Nullable Kept kept(RecordId id, Met met) {
		if (!(met instanceof Met.Present there)) {
			return null;
		}
		Duration life = Objects.requireNonNullElse(there.remaining(), UNREAD);
		Withdrawn lost = withdrawn(there);
		if (lost == null) {
			return new Kept(this.reader.read(id, there.octets(), life), life);
		}
		Claim.Open before = lost.before();
		return (before != null) ? new Kept(before, lifeOf(before)) : null;
	}

	private static Duration lifeOf(Claim.Open before) {
		return before.record().lifetime().minus(before.age());
	}

	/** Only a claim can be withdrawn; what its owner has settled since counts. */
	private @Nullable Withdrawn withdrawn(Met.Present there) {
		OwnerToken owner = RecordCodec.owner(there.octets());
		Withdrawn lost = (owner != null) ? this.withdrawn.get(owner) : null;
		return (lost != null && RecordCodec.isClaim(there.octets())) ? lost : null;
	}

}
