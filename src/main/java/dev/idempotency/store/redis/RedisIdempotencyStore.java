package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import dev.idempotency.core.Claim;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.JobQueue.Submission;
import dev.idempotency.core.JobQueue;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreStatus;
import dev.idempotency.store.ClaimProtocol;
import dev.idempotency.store.Kept;
import dev.idempotency.store.PairedStore;
import dev.idempotency.store.RecordReader;
import dev.idempotency.store.StoreContact;
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
public final class RedisIdempotencyStore implements PairedStore {

	private final StoreContact contact = new StoreContact();

	private final WithdrawnClaims withdrawn;

	private final String keyPrefix;

	private final RedisLink link;

	private final RedisRecords records;

	private final ClaimProtocol claims;

	private final Disposable undoing;

	RedisIdempotencyStore(RedisConnector connector, RedisStoreSettings settings) {
		this.keyPrefix = settings.keyPrefix();
		this.withdrawn = new WithdrawnClaims(settings.timeout(), this.contact, System::nanoTime);
		this.link = new RedisLink(connector, settings.timeout(), this.contact);
		this.records = new RedisRecords(this.link, settings);
		this.claims = new ClaimProtocol(this.records, new RecordReader(this.contact), this.withdrawn, this.link);
		long period = settings.timeout().toMillis();
		this.undoing = Schedulers.parallel()
			.schedulePeriodically(() -> this.withdrawn.undo(this.claims::undo), period, period, TimeUnit.MILLISECONDS);
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
		return this.claims.claim(id, claim);
	}

	@Override
	public Mono<Claim> takeOver(RecordId id, Claim.Open seen, IdempotencyRecord claim) {
		return this.claims.takeOver(id, seen, claim);
	}

	@Override
	public Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
		return this.link.limited(this.records.renew(id, claim));
	}

	@Override
	public Mono<Ownership> settle(RecordId id, IdempotencyRecord settled) {
		return this.link.limited(this.records.settle(id, settled));
	}

	/**
	 * A release is meant whatever becomes of this call: it is tried again in the
	 * background, also after a success if a renewal sent before might still arrive and
	 * write the claim anew.
	 */
	@Override
	public Mono<Ownership> release(RecordId id, OwnerToken owner) {
		return this.link.limited(this.records.release(id, owner)).doOnTerminate(() -> {
			if (!this.withdrawn.nothingUnderway() && !this.withdrawn.isFull()) {
				this.withdrawn.add(id, owner, null);
			}
		});
	}

	@Override
	public Mono<Claim> find(RecordId id) {
		return look(id).map(Kept::claim);
	}

	@Override
	public Mono<Kept> look(RecordId id) {
		return this.claims.look(id);
	}

	@Override
	public Mono<Boolean> put(RecordId id, @Nullable IdempotencyRecord seen, IdempotencyRecord record, Duration life) {
		return this.link.limited(this.records.put(id, seen, record, life));
	}

	@Override
	public void whenWithdrawn(BiFunction<RecordId, OwnerToken, Mono<?>> step) {
		this.withdrawn.whenUndone(step);
	}

	@Override
	public Mono<Ownership> forget(RecordId id, OwnerToken seen) {
		return this.link.limited(this.records.forget(id, seen));
	}

	@Override
	public Mono<Boolean> enter(RecordId id, OwnerToken visitor, Duration atMost) {
		return this.link.limited(this.records.enter(id, visitor, atMost));
	}

	@Override
	public Mono<Void> leave(RecordId id, OwnerToken visitor) {
		return this.link.limited(this.records.leave(id, visitor));
	}

	/** The queues of jobs in the same Redis. */
	public JobQueue jobs() {
		return new RedisJobQueue(this, this.link, this.keyPrefix);
	}

	/** The dead letters in the same Redis. */
	public DeadLetters deadLetters() {
		return new RedisDeadLetters(this.link, this.keyPrefix);
	}

	/**
	 * Claims a key for a job where record and queue are in one step.
	 * @param queue keys of the queue
	 * @param ticket the job's ticket
	 */
	Mono<Submission> submit(RecordId id, IdempotencyRecord claim, List<byte[]> queue, byte[] ticket, int limit) {
		return this.claims.submit(id, claim, (pending) -> this.records.submit(pending, queue, ticket, limit));
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

}
