package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Calls that each end within the same time. Whoever asked last is due last, so one queue
 * and one timer do for all of them, where a timer for each call would cost more than the
 * call itself.
 */
final class BoundedCalls {

	private final Queue<Turn> turns = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean watched = new AtomicBoolean();

	private final Duration limit;

	private final Threads threads;

	private final LongSupplier nanoClock;

	/**
	 * With nothing under way.
	 * @param limit for each call
	 * @param threads to keep the limit on and to go on from
	 * @param nanoClock monotonic time in nanoseconds
	 */
	BoundedCalls(Duration limit, Threads threads, LongSupplier nanoClock) {
		this.limit = limit;
		this.threads = threads;
		this.nanoClock = nanoClock;
	}

	/**
	 * Bounds a call.
	 * @param <T> what it brings
	 * @param step the call
	 * @param listener hears of its end before anybody else
	 * @return the same, which ends in time, on a thread of the caller's
	 */
	<T> Mono<T> bounded(Mono<T> step, Listener listener) {
		return Mono.create((sink) -> begin(step, new Call<>(sink, listener, this.threads.callersThread(), now())));
	}

	private <T> void begin(Mono<T> step, Call<T> call) {
		this.turns.add(call.turn);
		try {
			if (this.watched.compareAndSet(false, true)) {
				watch(this.limit.toNanos());
			}
		}
		catch (RejectedExecutionException closed) {
			// Nobody could end it in time any more.
			this.watched.set(false);
			this.turns.remove(call.turn);
			call.onError(closed);
			return;
		}
		step.subscribe(call);
	}

	private void watch(long nanos) {
		this.threads.timers().schedule(this::look, nanos, TimeUnit.NANOSECONDS);
	}

	private void look() {
		Turn next = this.turns.peek();
		while (next != null && (next.isOver() || left(next) <= 0)) {
			this.turns.poll();
			next.expire();
			next = this.turns.peek();
		}
		if (next != null) {
			watch(left(next));
			return;
		}
		this.watched.set(false);
		if (!this.turns.isEmpty() && this.watched.compareAndSet(false, true)) {
			watch(this.limit.toNanos());
		}
	}

	private long left(Turn turn) {
		return turn.begun + this.limit.toNanos() - now();
	}

	private long now() {
		return this.nanoClock.getAsLong();
	}

	/** Where the work around a call is done. */
	interface Threads {

		/** Timers of the thread that reads replies, for limits that measure Redis. */
		Scheduler timers();

		/** Where whoever asks now goes on, without keeping the thread that reads. */
		Executor callersThread();

	}

	/** Hears how calls end, on the thread where that is found out. */
	interface Listener {

		/** The store answered. */
		void answered();

		/**
		 * The call failed.
		 * @param failure why; {@link TimeoutException} if it took too long
		 * @return what the caller is told
		 */
		Throwable failed(Throwable failure);

	}

	/**
	 * A call's place in the queue. Whoever takes the call out of it ends the call, and
	 * what is over leaves nothing behind that would be kept until its time.
	 */
	private static final class Turn extends AtomicReference<@Nullable Call<?>> {

		private static final long serialVersionUID = 1L;

		private final long begun;

		Turn(Call<?> call, long begun) {
			super(call);
			this.begun = begun;
		}

		boolean isOver() {
			return get() == null;
		}

		boolean end() {
			return getAndSet(null) != null;
		}

		void expire() {
			Call<?> call = getAndSet(null);
			if (call != null) {
				call.expired();
			}
		}

	}

	private static final class Call<T> implements CoreSubscriber<T> {

		private final Turn turn;

		private final MonoSink<T> sink;

		private final Listener listener;

		private final Executor caller;

		private volatile @Nullable Subscription step;

		Call(MonoSink<T> sink, Listener listener, Executor caller, long begun) {
			this.turn = new Turn(this, begun);
			this.sink = sink;
			this.listener = listener;
			this.caller = caller;
			sink.onCancel(this::cancelled);
		}

		@Override
		public Context currentContext() {
			return Context.of(this.sink.contextView());
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			this.step = subscription;
			subscription.request(Long.MAX_VALUE);
		}

		@Override
		public void onNext(T result) {
			if (this.turn.end()) {
				this.listener.answered();
				this.caller.execute(() -> this.sink.success(result));
			}
		}

		@Override
		public void onComplete() {
			if (this.turn.end()) {
				this.listener.answered();
				this.caller.execute(this.sink::success);
			}
		}

		@Override
		public void onError(Throwable failure) {
			if (this.turn.end()) {
				fail(failure);
			}
		}

		private void fail(Throwable failure) {
			Throwable told = this.listener.failed(failure);
			this.caller.execute(() -> this.sink.error(told));
		}

		private void expired() {
			cancelStep();
			fail(new TimeoutException("no answer in time"));
		}

		private void cancelled() {
			if (this.turn.end()) {
				cancelStep();
			}
		}

		private void cancelStep() {
			Subscription current = this.step;
			if (current != null) {
				current.cancel();
			}
		}

	}

}
