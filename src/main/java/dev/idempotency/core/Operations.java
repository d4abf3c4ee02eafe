package dev.idempotency.core;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The operations that run in this instance. Duplicates that wait here are woken by a
 * local signal and need not ask the store.
 *
 * @since 0.1.0
 */
public final class Operations {

	private final Map<Lease, Sinks.Empty<Void>> running = new ConcurrentHashMap<>();

	private final Map<RecordId, Sinks.Empty<Void>> byId = new ConcurrentHashMap<>();

	private volatile Sinks.Empty<Void> stopping = Sinks.empty();

	/** Claims on their way may become operations, so the end waits for them too. */
	private final AtomicInteger claiming = new AtomicInteger();

	private volatile Sinks.Empty<Void> claimed = Sinks.empty();

	private volatile boolean stopped;

	/**
	 * Enters before a claim is sent.
	 * @return whether it may be sent; if so, {@link #leave()} has to follow
	 */
	boolean enter() {
		this.claiming.incrementAndGet();
		if (this.stopped) {
			leave();
			return false;
		}
		return true;
	}

	/** The claim was answered, and its operation, if there is one, has begun. */
	void leave() {
		if (this.claiming.decrementAndGet() == 0 && this.stopped) {
			this.claimed.tryEmitEmpty();
		}
	}

	void begin(Lease lease) {
		Sinks.Empty<Void> end = Sinks.empty();
		this.running.put(lease, end);
		this.byId.put(lease.id(), end);
	}

	void end(Lease lease) {
		Sinks.Empty<Void> ended = this.running.remove(lease);
		if (ended != null) {
			this.byId.remove(lease.id(), ended);
			ended.tryEmitEmpty();
		}
	}

	/**
	 * Completes when the operation ends; never, if it does not run here.
	 * @param id the operation
	 * @return its end
	 */
	Mono<Void> ended(RecordId id) {
		Sinks.Empty<Void> ended = this.byId.get(id);
		return (ended != null) ? ended.asMono() : Mono.never();
	}

	/** How many run now. */
	public int count() {
		return this.running.size();
	}

	/** For how long the oldest of them has been running; zero if none does. */
	public Duration oldest() {
		return this.running.keySet().stream().map(Lease::age).max(Duration::compareTo).orElse(Duration.ZERO);
	}

	/** New operations are welcome, also after an earlier {@link #stop()}. */
	public void start() {
		if (this.stopped) {
			this.claimed = Sinks.empty();
			this.stopping = Sinks.empty();
			this.stopped = false;
		}
	}

	/** From now on nothing new is begun, and what waits between two attempts gives up. */
	public void stop() {
		this.stopped = true;
		if (this.claiming.get() == 0) {
			this.claimed.tryEmitEmpty();
		}
		this.stopping.tryEmitEmpty();
	}

	/** Whether {@link #stop()} was called. */
	public boolean isStopped() {
		return this.stopped;
	}

	/** Completes at {@link #stop()}. */
	public Mono<Void> stopping() {
		return this.stopping.asMono();
	}

	/**
	 * Completes once nothing runs any more and, after {@link #stop()}, nothing can begin
	 * any more.
	 * @return the end of all that runs
	 */
	public Mono<Void> drained() {
		return Mono.defer(() -> {
			Mono<Void> none = this.stopped ? this.claimed.asMono() : Mono.empty();
			return none.then(Mono.defer(this::ended));
		});
	}

	private Mono<Void> ended() {
		return Mono.when(this.running.values().stream().map(Sinks.Empty::asMono).toList())
			.then(Mono.defer(() -> this.running.isEmpty() ? Mono.empty() : ended()));
	}

}
