package dev.idempotency.store.postgres;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Row;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.CallLimit;
import dev.idempotency.store.StoreContact;
import dev.idempotency.store.Underway;

/**
 * Keeps a session with PostgreSQL: connects without blocking the start, replaces what has
 * fallen silent, and holds callers back while the server does not answer.
 *
 * <p>
 * After {@value #SILENT_CALLS} calls without an answer callers are refused at once, until
 * a probe comes back: so a stalled server costs a few callers the time limit, not
 * everybody, and no caller has to try whether it is back. The probe commits a row: a
 * server whose synchronous standby is gone still answers who only reads.
 */
final class PostgresLink implements CallLimit {

	private static final Duration SHORTEST_DELAY = Duration.ofMillis(50);

	private static final Duration LONGEST_DELAY = Duration.ofMillis(500);

	/** Half of {@link StoreContact#GAP}, so that one late beat breaks no contact. */
	private static final Duration BEAT = StoreContact.GAP.dividedBy(2);

	/**
	 * A path that swallows packets does not close a connection; waiting longer helps
	 * nobody.
	 */
	private static final Duration SILENCE = Duration.ofSeconds(3);

	/** A first connection takes its time in a process that has just been started. */
	private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

	/** Standbys come and go. */
	private static final int BEATS_TO_FACTS = 20;

	private static final int SILENT_CALLS = 5;

	/** A statement that was undone may be sent again, as long as the call has time. */
	static final Retry COLLISIONS = Retry.backoff(Long.MAX_VALUE, Duration.ofMillis(1))
		.maxBackoff(Duration.ofMillis(50))
		.filter(PostgresFailures::isCollision);

	private final ConnectionFactory factory;

	private final PostgresStoreSettings settings;

	private final PostgresSchema schema;

	private final PostgresSql sql;

	private final StoreContact contact;

	private final AtomicReference<@Nullable PostgresSession> session = new AtomicReference<>();

	private final AtomicInteger silentCalls = new AtomicInteger();

	private final Underway connecting = new Underway();

	private final Disposable.Swap beating = Disposables.swap();

	private final PostgresReport report = new PostgresReport();

	/** The row that probes write is ours alone, so that they do not wait for others. */
	private final byte[] probeId = OwnerToken.random().bytes();

	private volatile long lastAnswer;

	private int beats;

	PostgresLink(ConnectionFactory factory, PostgresStoreSettings settings, StoreContact contact) {
		this.factory = factory;
		this.settings = settings;
		this.schema = PostgresSchema.of(settings.table());
		this.sql = new PostgresSql(this.schema);
		this.contact = contact;
	}

	void open() {
		this.beating.update(Schedulers.parallel()
			.schedulePeriodically(this::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS));
		connect(SHORTEST_DELAY);
	}

	void close() {
		this.beating.dispose();
		this.connecting.dispose();
		PostgresSession last = this.session.getAndSet(null);
		if (last != null) {
			last.close();
		}
	}

	/** The tables of this store. */
	PostgresSchema schema() {
		return this.schema;
	}

	/** The statements for this store's records. */
	PostgresSql sql() {
		return this.sql;
	}

	/**
	 * The session to send on.
	 * @throws StoreUnavailableException if there is none or its server does not answer
	 */
	PostgresSession session() {
		PostgresSession current = this.session.get();
		if (current == null) {
			throw new StoreUnavailableException("PostgreSQL is not connected", null);
		}
		if (isSilent()) {
			throw new StoreUnavailableException("PostgreSQL does not answer", null);
		}
		return current;
	}

	/**
	 * Carries out one statement, and again if it was undone only because of others; not
	 * {@link #limited} in itself.
	 */
	<T> Mono<T> run(String statement, Function<Row, T> mapping, Object... values) {
		return Mono.defer(() -> session().run(statement, mapping, values)).retryWhen(COLLISIONS);
	}

	/** The same with any number of rows. */
	<T> Mono<List<T>> list(String statement, Function<Row, T> mapping, Object... values) {
		return Mono.defer(() -> session().list(statement, mapping, values)).retryWhen(COLLISIONS);
	}

	/** What is known of the server; {@code null} until the first connection. */
	@Nullable PostgresServerFacts facts() {
		return this.report.latest();
	}

	boolean isServing() {
		return this.session.get() != null && !isSilent();
	}

	@Override
	public <T> Mono<T> limited(Mono<T> call) {
		Duration limit = this.settings.timeout();
		return call.timeout(limit)
			.doOnSuccess((result) -> answered())
			.doOnError(this::failed)
			.onErrorMap((failure) -> PostgresFailures.unavailable(failure, limit))
			.publishOn(Schedulers.parallel());
	}

	private void answered() {
		this.lastAnswer = System.nanoTime();
		this.contact.succeeded();
		if (this.silentCalls.get() != 0) {
			this.silentCalls.set(0);
		}
	}

	/** A call failed; one that was never sent says nothing about the server. */
	private void failed(Throwable failure) {
		if (failure instanceof StoreUnavailableException) {
			return;
		}
		this.contact.failed();
		if (!PostgresFailures.isRefusal(failure)) {
			this.silentCalls.incrementAndGet();
			return;
		}
		PostgresSession current = this.session.get();
		if (current != null && PostgresFailures.callsForReconnect(failure)) {
			lost(current);
		}
	}

	private boolean isSilent() {
		return this.silentCalls.get() >= SILENT_CALLS;
	}

	private void connect(Duration nextDelay) {
		PostgresSession opened = new PostgresSession(this.factory, this.settings);
		this.connecting.begin(usable(opened).doOnNext((facts) -> connected(opened, facts)).onErrorResume((failure) -> {
			opened.close();
			return notConnected(failure, nextDelay);
		}));
	}

	/** Only a server that commits is of use. */
	private Mono<PostgresServerFacts> usable(PostgresSession opened) {
		return bounded(facts(opened)).flatMap((facts) -> withTables(opened, facts))
			.delayUntil((facts) -> bounded(probe(opened)));
	}

	private Mono<PostgresServerFacts> withTables(PostgresSession opened, PostgresServerFacts facts) {
		if (facts.readOnly()) {
			return Mono.error(new IllegalStateException("it takes no writes"));
		}
		if (facts.hasTables()) {
			return Mono.just(facts);
		}
		return this.settings.initializeSchema()
				? bounded(opened.runScript(this.schema.creation())).then(bounded(facts(opened)))
				: Mono.error(new IllegalStateException("it has not all of the tables " + this.schema.table() + ", "
						+ this.schema.tickets() + " and " + this.schema.letters()));
	}

	private Mono<PostgresServerFacts> facts(PostgresSession of) {
		return of.run(this.sql.facts(), PostgresServerFacts::of, this.schema.table(), this.schema.tickets(),
				this.schema.letters());
	}

	private <T> Mono<T> bounded(Mono<T> step) {
		return step.timeout(CONNECT_LIMIT);
	}

	private void connected(PostgresSession opened, PostgresServerFacts facts) {
		this.report.connected(facts);
		answered();
		this.session.set(opened);
		if (this.connecting.isDisposed()) {
			opened.close();
		}
	}

	private <T> Mono<T> notConnected(Throwable failure, Duration nextDelay) {
		this.contact.failed();
		this.report.notConnected(failure);
		connectLater(nextDelay);
		return Mono.empty();
	}

	private void connectLater(Duration delay) {
		Duration doubled = delay.multipliedBy(2);
		Duration next = (doubled.compareTo(LONGEST_DELAY) < 0) ? doubled : LONGEST_DELAY;
		this.connecting.begin(Mono.delay(delay).doOnNext((ignored) -> connect(next)));
	}

	private void lost(PostgresSession which) {
		if (this.session.compareAndSet(which, null)) {
			this.contact.failed();
			which.close();
			if (!this.connecting.isDisposed()) {
				this.report.lost();
				connectLater(SHORTEST_DELAY);
			}
		}
	}

	private void beat() {
		PostgresSession current = this.session.get();
		if (current != null) {
			(isSilent() ? probe(current) : look(current)).timeout(this.settings.timeout())
				.subscribe(null, (failure) -> silent(current, failure), this::answered);
		}
	}

	private Mono<?> look(PostgresSession current) {
		this.beats++;
		return (this.beats % BEATS_TO_FACTS == 0) ? facts(current).doOnNext(this.report::refreshed)
				: current.runScript("select 1");
	}

	private Mono<?> probe(PostgresSession current) {
		return current.run(this.sql.write(), (row) -> true, this.probeId, this.probeId, (short) 0, new byte[0], 0L, 0L);
	}

	private void silent(PostgresSession which, Throwable failure) {
		failed(failure);
		if (System.nanoTime() - this.lastAnswer > SILENCE.toNanos()) {
			lost(which);
		}
	}

}
