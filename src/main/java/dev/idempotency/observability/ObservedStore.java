package dev.idempotency.observability;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

/**
 * Measures each step of a store: {@code idempotency.store} by store, operation and
 * result.
 *
 * @since 0.1.0
 */
public final class ObservedStore implements IdempotencyStore {

	private static final Logger log = LoggerFactory.getLogger(ObservedStore.class);

	private final IdempotencyStore store;

	private final MeterRegistry registry;

	private final Spans spans;

	private final Map<String, Timer> timers = new ConcurrentHashMap<>();

	/**
	 * Around a store.
	 * @param store does the work
	 * @param registry where the timers are kept
	 * @param spans accompany its steps
	 */
	public ObservedStore(IdempotencyStore store, MeterRegistry registry, Spans spans) {
		this.store = store;
		this.registry = registry;
		this.spans = spans;
	}

	@Override
	public String name() {
		return this.store.name();
	}

	@Override
	public StoreStatus status() {
		return this.store.status();
	}

	@Override
	public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
		return claimed(timed("claim", this.store.claim(id, claim)));
	}

	@Override
	public Mono<Claim> takeOver(RecordId id, Claim.Open seen, IdempotencyRecord claim) {
		return claimed(timed("take_over", this.store.takeOver(id, seen, claim)));
	}

	@Override
	public Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
		return timed("renew", this.store.renew(id, claim));
	}

	@Override
	public Mono<Ownership> settle(RecordId id, IdempotencyRecord settled) {
		return Mono.deferContextual((context) -> {
			TraceOrigin execution = this.spans.current(context);
			return ended(timed("settle", this.store.settle(id, (execution != null) ? execution.on(settled) : settled)));
		});
	}

	@Override
	public Mono<Ownership> release(RecordId id, OwnerToken owner) {
		return ended(timed("release", this.store.release(id, owner)));
	}

	@Override
	public Mono<Claim> find(RecordId id) {
		return timed("find", this.store.find(id)).map(TraceOrigin::removedFrom);
	}

	@Override
	public Mono<Ownership> forget(RecordId id, OwnerToken seen) {
		return timed("forget", this.store.forget(id, seen));
	}

	@Override
	public Mono<Boolean> enter(RecordId id, OwnerToken visitor, Duration atMost) {
		return timed("enter", this.store.enter(id, visitor, atMost));
	}

	@Override
	public Mono<Void> leave(RecordId id, OwnerToken visitor) {
		return timed("leave", this.store.leave(id, visitor));
	}

	private Mono<Claim> claimed(Mono<Claim> step) {
		return this.spans
			.around(IdempotencyObservation.CLAIM, this.store.name(), step, ObservedStore::word, TraceOrigin::of)
			.map(TraceOrigin::removedFrom);
	}

	private Mono<Ownership> ended(Mono<Ownership> step) {
		return this.spans.around(IdempotencyObservation.SETTLE, this.store.name(), step, ObservedStore::word,
				(ownership) -> null);
	}

	private <T> Mono<T> timed(String operation, Mono<T> step) {
		return Mono.defer(() -> step.doOnEach(new Stopwatch<>(operation)));
	}

	/** A claim that was won is not lost because it could not be counted. */
	private void stop(String operation, String result, long begun) {
		try {
			this.timers.computeIfAbsent(operation + '.' + result, key -> timer(operation, result))
				.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
		}
		catch (RuntimeException ex) {
			log.warn("A step of the store could not be counted", ex);
		}
	}

	private Timer timer(String operation, String result) {
		return Timer.builder(IdempotencyMeter.STORE.meterName())
			.description(IdempotencyMeter.STORE.description())
			.tag(MeterTag.STORE.asString(), this.store.name())
			.tag(MeterTag.OPERATION.asString(), operation)
			.tag(MeterTag.RESULT.asString(), result)
			.register(this.registry);
	}

	private static String word(@Nullable Object result) {
		if (result instanceof Claim.Won) {
			return "won";
		}
		if (result instanceof Claim.Running) {
			return "running";
		}
		if (result instanceof Claim.Finished) {
			return "finished";
		}
		if (result instanceof Claim.UnknownOutcome) {
			return "unknown";
		}
		if (result instanceof Claim.AtRest) {
			return "at_rest";
		}
		if (result instanceof Claim.Unreadable) {
			return "unreadable";
		}
		return (result == Ownership.FENCED) ? "fenced" : "ok";
	}

	/** Runs from a step's beginning to the first that is heard of it. */
	private final class Stopwatch<T> implements Consumer<Signal<T>> {

		private final String operation;

		private final long begun = System.nanoTime();

		private boolean stopped;

		Stopwatch(String operation) {
			this.operation = operation;
		}

		@Override
		public void accept(Signal<T> signal) {
			if (!this.stopped) {
				this.stopped = true;
				stop(this.operation, signal.isOnError() ? "unavailable" : word(signal.get()), this.begun);
			}
		}

	}

}
