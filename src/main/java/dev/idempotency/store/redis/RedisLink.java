package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.CallLimit;
import dev.idempotency.store.StoreContact;
import dev.idempotency.store.Underway;

/**
 * Keeps a session with Redis: connects without blocking the start, replaces what is lost
 * or has fallen silent, and holds callers back while the server does not answer.
 *
 * <p>
 * After {@value #SILENT_CALLS} calls without an answer callers are refused at once, until
 * a {@code PING} comes back, and one is under way from that moment on: so a stalled
 * server costs a few callers the time limit, not everybody, no caller has to try whether
 * it is back, and the first sign of life is heard at once.
 */
final class RedisLink implements CallLimit, BoundedCalls.Listener {

	/** Longest pause between two attempts to connect. */
	static final Duration LONGEST_DELAY = Duration.ofMillis(500);

	private static final Duration SHORTEST_DELAY = Duration.ofMillis(50);

	/** Half of {@link StoreContact#GAP}, so that one late beat breaks no contact. */
	private static final Duration BEAT = StoreContact.GAP.dividedBy(2);

	/**
	 * A path that swallows packets does not close a connection; waiting longer helps
	 * nobody.
	 */
	private static final Duration SILENCE = Duration.ofSeconds(3);

	private static final Duration CONNECT_LIMIT = RedisEndpoint.CONNECT_LIMIT.multipliedBy(2);

	private static final int SILENT_CALLS = 5;

	private final RedisConnector connector;

	private final Duration timeLimit;

	private final StoreContact contact;

	private final AtomicReference<@Nullable RedisSession> session = new AtomicReference<>();

	private final AtomicInteger silentCalls = new AtomicInteger();

	private final Underway connecting = new Underway();

	private final Disposable.Swap beating = Disposables.swap();

	private final RedisReport report = new RedisReport();

	private final BoundedCalls calls;

	private volatile long lastAnswer;

	RedisLink(RedisConnector connector, Duration timeLimit, StoreContact contact) {
		this.connector = connector;
		this.timeLimit = timeLimit;
		this.contact = contact;
		this.calls = new BoundedCalls(timeLimit, connector, System::nanoTime);
	}

	void open() {
		this.beating.update(Schedulers.parallel()
			.schedulePeriodically(this::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS));
		connect(SHORTEST_DELAY);
	}

	void close() {
		this.beating.dispose();
		this.connecting.dispose();
		RedisSession last = this.session.getAndSet(null);
		if (last != null) {
			last.close();
		}
		this.connector.close();
	}

	/**
	 * The session to send on.
	 * @throws StoreUnavailableException if there is none or its server does not answer
	 */
	RedisSession session() {
		RedisSession current = this.session.get();
		if (current == null) {
			throw new StoreUnavailableException("Redis is not connected", null);
		}
		if (this.silentCalls.get() >= SILENT_CALLS) {
			throw new StoreUnavailableException("Redis does not answer", null);
		}
		return current;
	}

	/** Ends what Redis does not answer in time. */
	<T> Mono<T> inTime(Mono<T> step) {
		return step.timeout(this.timeLimit, this.connector.timers());
	}

	/** What is known of the server; {@code null} until the first connection. */
	@Nullable RedisServerFacts facts() {
		return this.report.latest();
	}

	boolean isServing() {
		return this.session.get() != null && this.silentCalls.get() < SILENT_CALLS;
	}

	@Override
	public <T> Mono<T> limited(Mono<T> call) {
		return this.calls.bounded(call, this);
	}

	@Override
	public void answered() {
		this.lastAnswer = System.nanoTime();
		this.contact.succeeded();
		if (this.silentCalls.get() != 0) {
			this.silentCalls.set(0);
		}
	}

	@Override
	public Throwable failed(Throwable failure) {
		// What was never sent says nothing about the server.
		if (!(failure instanceof StoreUnavailableException)) {
			missed(failure);
		}
		return RedisFailures.unavailable(failure, this.timeLimit);
	}

	private void missed(Throwable failure) {
		this.contact.failed();
		if (!RedisFailures.isRefusal(failure)) {
			if (this.silentCalls.incrementAndGet() == SILENT_CALLS) {
				listen();
			}
			return;
		}
		RedisSession current = this.session.get();
		if (current != null && RedisFailures.callsForReconnect(failure)) {
			lost(current, LONGEST_DELAY);
		}
		else if (current != null && RedisFailures.movedAway(failure)) {
			current.movedAway();
		}
	}

	private void connect(Duration nextDelay) {
		this.connecting.begin(this.connector.connect()
			.timeout(CONNECT_LIMIT)
			.doOnNext(this::connected)
			.onErrorResume((failure) -> notConnected(failure, nextDelay)));
	}

	private void connected(RedisSession opened) {
		this.report.connected(opened.facts());
		this.silentCalls.set(0);
		answered();
		this.session.set(opened);
		opened.onClosed(() -> lost(opened, SHORTEST_DELAY));
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

	private void lost(RedisSession which, Duration delay) {
		if (this.session.compareAndSet(which, null)) {
			this.contact.failed();
			which.close();
			if (!this.connecting.isDisposed()) {
				this.report.lost();
				connectLater(delay);
			}
		}
	}

	private void beat() {
		RedisSession current = this.session.get();
		if (current != null) {
			inTime(current.ping()).subscribe(null, (failure) -> silent(current, failure), this::answered);
			current.pingClaimConnections().timeout(SILENCE).subscribe(null, (failure) -> lost(current, SHORTEST_DELAY));
		}
	}

	/** However late the reply comes, it tells that the server is back. */
	private void listen() {
		RedisSession current = this.session.get();
		if (current != null) {
			current.ping().timeout(SILENCE).subscribe(null, (silence) -> {
			}, this::answered);
		}
	}

	private void silent(RedisSession which, Throwable failure) {
		missed(failure);
		if (System.nanoTime() - this.lastAnswer > SILENCE.toNanos()) {
			lost(which, SHORTEST_DELAY);
		}
	}

}
