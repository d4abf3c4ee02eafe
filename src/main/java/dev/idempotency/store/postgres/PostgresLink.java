package dev.idempotency.store.postgres;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.r2dbc.spi.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.CallLimit;
import dev.idempotency.store.StoreContact;

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

	private final ConnectionFactory factory;

	private final PostgresStoreSettings settings;

	private final PostgresSchema schema;

	private final PostgresSql sql;

	private final StoreContact contact;

	private final AtomicReference<@Nullable PostgresSession> session = new AtomicReference<>();

	private final AtomicInteger silentCalls = new AtomicInteger();

	private final Disposable.Swap connecting = Disposables.swap();

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

	/** The statements for this store's table. */
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
		this.connecting.update(usable(opened).subscribe((facts) -> connected(opened, facts), (failure) -> {
			opened.close();
			notConnected(failure, nextDelay);
		}));
	}

	/** Only a server that commits is of use. */
	private Mono<PostgresServerFacts> usable(PostgresSession opened) {
		return bounded(facts(opened)).flatMap((facts) -> withTable(opened, facts))
			.delayUntil((facts) -> bounded(probe(opened)));
	}

	private Mono<PostgresServerFacts> withTable(PostgresSession opened, PostgresServerFacts facts) {
		if (facts.readOnly()) {
			return Mono.error(new IllegalStateException("it takes no writes"));
		}
		if (facts.hasTable()) {
			return Mono.just(facts);
		}
		return this.settings.initializeSchema()
				? bounded(opened.runScript(this.schema.creation())).then(bounded(facts(opened)))
				: Mono.error(new IllegalStateException("it has no table " + this.settings.table()));
	}

	private Mono<PostgresServerFacts> facts(PostgresSession of) {
		return of.run(this.sql.facts(), PostgresServerFacts::of, this.schema.table());
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

	private void notConnected(Throwable failure, Duration nextDelay) {
		this.contact.failed();
		this.report.notConnected(failure);
		connectLater(nextDelay);
	}

	private void connectLater(Duration delay) {
		Duration doubled = delay.multipliedBy(2);
		Duration next = (doubled.compareTo(LONGEST_DELAY) < 0) ? doubled : LONGEST_DELAY;
		this.connecting.update(Mono.delay(delay).subscribe((ignored) -> connect(next)));
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
