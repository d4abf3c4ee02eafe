package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import dev.idempotency.core.Claim;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobQueue.Submission;
import dev.idempotency.core.JobQueue;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreStatus;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.RecordCodec;
import dev.idempotency.store.RecordReader;
import dev.idempotency.store.StoreContact;
import dev.idempotency.store.WithdrawnClaims.Withdrawn;
import dev.idempotency.store.WithdrawnClaims;

/**
 * Keeps records in Redis 6.2 or newer, Valkey included: a single server, Sentinel or
 * Cluster. A new key costs one round trip, a replay one, a duplicate of a running
 * operation two.
 *
 * <p>
 * Each call as a whole has one time limit. The gateway starts while Redis is down and
 * needs no restart when it is back. Results come on a thread of
 * {@link Schedulers#parallel()}: the few threads that read from Redis have to go on
 * reading.
 *
 * @since 0.1.0
 */
public final class RedisIdempotencyStore implements IdempotencyStore, AutoCloseable {

	/** How often a key may change under a claim before the claim gives up. */
	private static final int TRIES = 4;

	/** Where the remaining life was not read, an outcome counts as new. */
	private static final Duration UNREAD = Duration.ofDays(365_000);

	private final Duration timeLimit;

	private final StoreContact contact = new StoreContact();

	private final RecordReader reader = new RecordReader(this.contact);

	private final WithdrawnClaims withdrawn;

	private final String keyPrefix;

	private final RedisLink link;

	private final RedisRecords records;

	private final Scheduler scheduler = Schedulers.parallel();

	private final Disposable undoing;

	RedisIdempotencyStore(RedisConnector connector, RedisStoreSettings settings) {
		this.timeLimit = settings.timeout();
		this.keyPrefix = settings.keyPrefix();
		this.withdrawn = new WithdrawnClaims(this.timeLimit, this.contact, System::nanoTime);
		this.link = new RedisLink(connector, this.timeLimit, this.contact);
		this.records = new RedisRecords(this.link, settings);
		long period = this.timeLimit.toMillis();
		this.undoing = this.scheduler.schedulePeriodically(() -> this.withdrawn.undo(this::undo), period, period,
				TimeUnit.MILLISECONDS);
		this.link.open();
	}

	/**
	 * A store on a Lettuce client of its own, which leaves alone whatever else the
	 * application does with Redis. Returns at once; the connection comes about in the
	 * background.
	 * @param details where Redis is, as Boot knows it
	 * @param clientName name of the connections as Redis lists them; {@code null} for
	 * none
	 * @param settings how the store behaves
	 * @return the store
	 */
	public static RedisIdempotencyStore create(DataRedisConnectionDetails details, @Nullable String clientName,
			RedisStoreSettings settings) {
		return create(details, RedisClientSettings.named(clientName), settings);
	}

	/**
	 * The same with more to say about connections.
	 * @param details where Redis is, as Boot knows it
	 * @param client what the details do not say
	 * @param settings how the store behaves
	 * @return the store
	 */
	public static RedisIdempotencyStore create(DataRedisConnectionDetails details, RedisClientSettings client,
			RedisStoreSettings settings) {
		return new RedisIdempotencyStore(RedisConnector.to(RedisEndpoint.of(details, client), settings), settings);
	}

	@Override
	public String name() {
		return "redis";
	}

	@Override
	public StoreStatus status() {
		RedisServerFacts facts = server();
		return new StoreStatus(isServing(),
				(facts == null) ? Map.of("withdrawnClaims", withdrawnClaims())
						: Map.of("topology", facts.topology(), "version", facts.version(), "evictionPolicy",
								facts.evictionPolicy(), "evicts", facts.evicts(), "appendOnly", facts.appendOnly(),
								"replicas", facts.replicas(), "withdrawnClaims", withdrawnClaims()));
	}

	@Override
	public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
		return pending(id, claim, null, (pending) -> claim(pending, TRIES));
	}

	@Override
	public Mono<Claim> takeOver(RecordId id, Claim.Open seen, IdempotencyRecord claim) {
		return pending(id, claim, seen, (pending) -> takeOver(pending, seen));
	}

	@Override
	public Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
		return limited(this.records.renew(id, claim));
	}

	@Override
	public Mono<Ownership> settle(RecordId id, IdempotencyRecord settled) {
		return limited(this.records.settle(id, settled));
	}

	/**
	 * A release is meant whatever becomes of this call: it is tried again in the
	 * background, also after a success if a renewal sent before might still arrive and
	 * write the claim anew.
	 */
	@Override
	public Mono<Ownership> release(RecordId id, OwnerToken owner) {
		return limited(this.records.release(id, owner)).doOnTerminate(() -> {
			if (!this.withdrawn.nothingUnderway() && !this.withdrawn.isFull()) {
				this.withdrawn.add(id, owner, null);
			}
		});
	}

	@Override
	public Mono<Claim> find(RecordId id) {
		return limited(this.records.look(id).flatMap((met) -> found(id, met)));
	}

	@Override
	public Mono<Ownership> forget(RecordId id, OwnerToken seen) {
		return limited(this.records.forget(id, seen));
	}

	@Override
	public Mono<Boolean> enter(RecordId id, OwnerToken visitor, Duration atMost) {
		return limited(this.records.enter(id, visitor, atMost));
	}

	@Override
	public Mono<Void> leave(RecordId id, OwnerToken visitor) {
		return limited(this.records.leave(id, visitor));
	}

	/** The queues of jobs in the same Redis. */
	public JobQueue jobs() {
		return new RedisJobQueue(this, this.link, this.keyPrefix);
	}

	/** The dead letters in the same Redis. */
	public DeadLetters deadLetters() {
		return new RedisDeadLetters(this, this.link, this.keyPrefix);
	}

	/** What is known of the server; {@code null} until the first connection. */
	public @Nullable RedisServerFacts server() {
		return this.link.facts();
	}

	/** Whether calls have a prospect of success just now. */
	public boolean isServing() {
		return this.link.isServing();
	}

	/** How many claims without a reply are still to be undone. */
	public int withdrawnClaims() {
		return this.withdrawn.size();
	}

	/** Releases threads and sockets without waiting for it. */
	@Override
	public void close() {
		this.undoing.dispose();
		this.link.close();
	}

	/**
	 * Claims a key for a job where record and queue are in one step.
	 * @param queue keys of the queue
	 * @param ticket the job's ticket
	 */
	Mono<Submission> submit(RecordId id, IdempotencyRecord claim, List<byte[]> queue, byte[] ticket, int limit) {
		return pending(id, claim, null, (pending) -> this.records.submit(pending, queue, ticket, limit)
			.flatMap((met) -> submitted(pending, met)));
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
		if (!(met instanceof Met.Present there)) {
			return Mono.just(new Submission.Full());
		}
		if (withdrawn(there) != null) {
			return Mono.error(new StoreUnavailableException("An earlier claim is being withdrawn", null));
		}
		return Mono.just(new Submission.Answered(
				this.reader.read(pending.id(), there.octets(), Objects.requireNonNullElse(there.remaining(), UNREAD))));
	}

	private <T> Mono<T> pending(RecordId id, IdempotencyRecord claim, Claim.@Nullable Open before,
			Function<PendingClaim, Mono<T>> attempt) {
		return Mono.defer(() -> {
			if (this.withdrawn.isFull()) {
				return Mono.error(new StoreUnavailableException("Too many claims are in doubt", null));
			}
			PendingClaim pending = new PendingClaim(id, underUnusedToken(claim), before);
			return pending.guard(limited(attempt.apply(pending)), this.withdrawn);
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
		return this.records.claim(pending).flatMap((met) -> claimed(pending, met, tries));
	}

	private Mono<Claim> takeOver(PendingClaim pending, Claim.Open seen) {
		boolean judged = !seen.lapsed() || this.reader.mayJudge(seen.record());
		Mono<Met> step = judged ? this.records.takeOver(pending, seen.record()) : this.records.look(pending.id());
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
					: this.records.adopt(pending, lost.token()).flatMap((met) -> claimed(pending, met, tries));
		}
		if (there.remaining() != null) {
			return Mono.just(this.reader.read(pending.id(), there.octets(), there.remaining()));
		}
		Claim ended = this.reader.read(pending.id(), there.octets(), UNREAD);
		return (ended instanceof Claim.Finished || ended instanceof Claim.Unreadable) ? Mono.just(ended)
				: this.records.look(pending.id()).flatMap((met) -> claimed(pending, met, tries));
	}

	/** The outcome was unknown before the take-over that was lost, and still is. */
	private Mono<Claim> giveBack(PendingClaim pending, Withdrawn lost, Claim.Open before, int tries) {
		return restore(lost, before).flatMap((restored) -> restored ? Mono.just(before) : claim(pending, tries - 1));
	}

	private Mono<Claim> found(RecordId id, Met met) {
		if (!(met instanceof Met.Present there)) {
			return Mono.empty();
		}
		Withdrawn lost = withdrawn(there);
		if (lost != null) {
			return Mono.justOrEmpty(lost.before());
		}
		return Mono.just(this.reader.read(id, there.octets(), Objects.requireNonNullElse(there.remaining(), UNREAD)));
	}

	/** Only a claim can be withdrawn; what its owner has settled since counts. */
	private @Nullable Withdrawn withdrawn(Met.Present there) {
		OwnerToken owner = RecordCodec.owner(there.octets());
		Withdrawn lost = (owner != null) ? this.withdrawn.get(owner) : null;
		return (lost != null && RecordCodec.isClaim(there.octets())) ? lost : null;
	}

	private Mono<?> undo(Withdrawn lost) {
		Claim.Open before = lost.before();
		return (before == null) ? limited(this.records.release(lost.id(), lost.token()))
				: limited(restore(lost, before));
	}

	private Mono<Boolean> restore(Withdrawn lost, Claim.Open before) {
		Duration left = before.record().lifetime().minus(before.age());
		return this.records.restore(lost.id(), lost.token(), before.record(), left);
	}

	<T> Mono<T> limited(Mono<T> step) {
		return this.link.inTime(step)
			.doOnSuccess((result) -> this.link.answered())
			.doOnError(this.link::failed)
			.onErrorMap((failure) -> RedisFailures.unavailable(failure, this.timeLimit))
			.publishOn(this.scheduler);
	}

}
