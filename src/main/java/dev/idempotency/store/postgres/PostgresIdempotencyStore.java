package dev.idempotency.store.postgres;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

import io.r2dbc.spi.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import dev.idempotency.core.Claim;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobQueue;
import dev.idempotency.core.JobQueue.Submission;
import dev.idempotency.core.JobTicket;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreStatus;
import dev.idempotency.store.ClaimProtocol;
import dev.idempotency.store.JobTickets;
import dev.idempotency.store.Kept;
import dev.idempotency.store.PairedStore;
import dev.idempotency.store.RecordReader;
import dev.idempotency.store.StoreContact;
import dev.idempotency.store.WithdrawnClaims;

/**
 * Keeps records in PostgreSQL 12 or newer: one row for a record, whose primary key is
 * what makes the first writer win. A claim costs one round trip, whether the key is new,
 * running or done.
 *
 * <p>
 * Each call as a whole has one time limit. The gateway starts while PostgreSQL is down
 * and needs no restart when it is back. Results come on a thread of
 * {@link Schedulers#parallel()}: the few threads that read from PostgreSQL have to go on
 * reading.
 *
 * @since 0.1.0
 */
public final class PostgresIdempotencyStore implements PairedStore {

	private final StoreContact contact = new StoreContact();

	private final WithdrawnClaims withdrawn;

	private final PostgresLink link;

	private final PostgresRecords records;

	private final PostgresTickets tickets;

	private final PostgresDeadLetters letters;

	private final ClaimProtocol claims;

	private final Disposable undoing;

	private final Sweeper sweeper;

	PostgresIdempotencyStore(ConnectionFactory factory, PostgresStoreSettings settings, Duration sweepPeriod) {
		this.withdrawn = new WithdrawnClaims(settings.timeout(), this.contact, System::nanoTime);
		this.link = new PostgresLink(factory, settings, this.contact);
		this.records = new PostgresRecords(this.link);
		this.tickets = new PostgresTickets(this.link);
		this.letters = new PostgresDeadLetters(this.link);
		this.claims = new ClaimProtocol(this.records, new RecordReader(this.contact), this.withdrawn, this.link);
		long period = settings.timeout().toMillis();
		this.undoing = Schedulers.parallel()
			.schedulePeriodically(() -> this.withdrawn.undo(this.claims::undo), period, period, TimeUnit.MILLISECONDS);
		this.sweeper = new Sweeper(List.of(this.records::sweep, this.letters::sweep), this.link, sweepPeriod);
		this.link.open();
	}

	/**
	 * A store on a pool of its own, which leaves alone whatever else the application does
	 * with its database. Returns at once; connections come about in the background.
	 * @param factory makes single connections, not pooled ones
	 * @param settings how the store behaves
	 * @return the store
	 */
	public static PostgresIdempotencyStore create(ConnectionFactory factory, PostgresStoreSettings settings) {
		return new PostgresIdempotencyStore(factory, settings, Sweeper.PERIOD);
	}

	@Override
	public String name() {
		return "postgres";
	}

	@Override
	public StoreStatus status() {
		Map<String, Object> facts = new LinkedHashMap<>();
		PostgresServerFacts server = server();
		if (server != null) {
			facts.put("version", server.version());
			facts.put("synchronousCommit", server.synchronousCommit());
			facts.put("standbys", server.standbys());
			facts.put("synchronousStandbys", server.synchronousStandbys());
		}
		facts.put("withdrawnClaims", withdrawnClaims());
		return new StoreStatus(isServing(), facts);
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
		return this.link.limited((seen != null) ? this.records.replace(id, seen.owner(), seen.state(), record, life)
				: this.records.put(id, record, life));
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

	/** The queues of jobs in the same database: claim and ticket are one statement. */
	public JobQueue jobs() {
		return new PostgresJobQueue(this.tickets, this::submit);
	}

	/**
	 * The same queues for jobs whose records are in more places than this one: the ticket
	 * comes first.
	 * @param records where they are claimed
	 */
	public JobQueue jobs(IdempotencyStore records) {
		return new PostgresJobQueue(this.tickets, new TicketFirst(this.tickets, records));
	}

	/** The dead letters in the same database. */
	public DeadLetters deadLetters() {
		return this.letters;
	}

	private Mono<Submission> submit(RecordId id, IdempotencyRecord claim, String queue, JobTicket ticket, int limit) {
		return this.claims.submit(id, claim,
				(pending) -> this.records.submit(pending, queue, JobTickets.write(ticket), limit));
	}

	/** What is known of the server; {@code null} until the first connection. */
	public @Nullable PostgresServerFacts server() {
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
		this.sweeper.close();
		this.undoing.dispose();
		this.link.close();
	}

}
