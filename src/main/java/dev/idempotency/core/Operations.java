package dev.idempotency.core;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

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

	private volatile boolean stopped;

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

	/** New operations are welcome, also after an earlier {@link #stop()}. */
	public void start() {
		if (this.stopped) {
			this.stopping = Sinks.empty();
			this.stopped = false;
		}
	}

	/** From now on nothing new is begun, and what waits between two attempts gives up. */
	public void stop() {
		this.stopped = true;
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
	 * Completes once nothing runs any more.
	 * @return the end of all that runs now
	 */
	public Mono<Void> drained() {
		return Mono.when(this.running.values().stream().map(Sinks.Empty::asMono).toList())
			.then(Mono.defer(() -> this.running.isEmpty() ? Mono.empty() : drained()));
	}

}
