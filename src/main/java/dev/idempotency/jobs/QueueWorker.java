package dev.idempotency.jobs;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import dev.idempotency.core.JobId;
import dev.idempotency.core.JobQueue;
import dev.idempotency.core.JobQueue.Taken;
import dev.idempotency.core.StoreUnavailableException;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Takes tickets of one queue, a bounded number at a time: when it is told that there is
 * something, when one is done, when one of its own is due again, and otherwise four times
 * a second.
 */
final class QueueWorker {

	private static final Duration BEAT = Duration.ofMillis(250);

	private final String queue;

	private final JobQueue jobs;

	private final Settings settings;

	private final Scheduler scheduler;

	private final Function<Taken, Mono<Disposal>> work;

	private final JobEvents events;

	private final Set<JobId> underway = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean taking = new AtomicBoolean();

	private volatile boolean wanted;

	private volatile boolean stopped;

	private volatile long notBefore = System.nanoTime();

	private final Disposable beat;

	/**
	 * A worker that begins at once.
	 * @param queue the queue's name
	 * @param jobs the queues
	 * @param settings how much at once
	 * @param scheduler for pauses
	 * @param work done with each ticket
	 * @param events told of defects
	 */
	QueueWorker(String queue, JobQueue jobs, Settings settings, Scheduler scheduler,
			Function<Taken, Mono<Disposal>> work, JobEvents events) {
		this.queue = queue;
		this.jobs = jobs;
		this.settings = settings;
		this.scheduler = scheduler;
		this.work = work;
		this.events = events;
		this.beat = scheduler.schedulePeriodically(this::wake, 0, BEAT.toMillis(), TimeUnit.MILLISECONDS);
	}

	/** There may be something to take. */
	void wake() {
		this.wanted = true;
		if (this.taking.compareAndSet(false, true)) {
			take();
		}
	}

	/** Takes nothing more; what is underway goes on. */
	void stop() {
		this.stopped = true;
		this.beat.dispose();
	}

	private void take() {
		this.wanted = false;
		int free = this.settings.atOnce() - this.underway.size();
		if (this.stopped || free <= 0 || System.nanoTime() - this.notBefore < 0) {
			taken(0);
			return;
		}
		this.jobs.take(this.queue, free, this.settings.hold()).subscribe(tickets -> {
			tickets.forEach(this::begin);
			taken(tickets.size());
		}, failure -> {
			report(failure);
			taken(0);
		});
	}

	private void taken(int count) {
		this.taking.set(false);
		if ((this.wanted || count > 0) && !this.stopped && this.underway.size() < this.settings.atOnce()) {
			this.scheduler.schedule(this::wakeIfWanted);
		}
	}

	private void wakeIfWanted() {
		if (System.nanoTime() - this.notBefore >= 0) {
			wake();
		}
	}

	/** Our own ticket may come again while we are at it. */
	private void begin(Taken taken) {
		JobId job = taken.ticket().job();
		if (!this.underway.add(job)) {
			return;
		}
		Mono.defer(() -> this.work.apply(taken)).flatMap(disposal -> dispose(taken, disposal)).doFinally(signal -> {
			this.underway.remove(job);
			wake();
		}).subscribe(nothing -> {
		}, this::report);
	}

	private Mono<Void> dispose(Taken taken, Disposal disposal) {
		if (disposal instanceof Disposal.Done) {
			return this.jobs.dispose(this.queue, taken);
		}
		if (disposal instanceof Disposal.Again again) {
			if (again.holdsBack()) {
				this.notBefore = System.nanoTime() + again.delay().toNanos();
			}
			return this.jobs.putBack(this.queue, taken, again.ticket(), again.delay())
				.doOnSuccess(nothing -> this.scheduler.schedule(this::wake, again.delay().toMillis() + 1,
						TimeUnit.MILLISECONDS));
		}
		return Mono.empty();
	}

	private void report(Throwable failure) {
		if (!(failure instanceof StoreUnavailableException)) {
			this.events.defect(this.queue, failure);
		}
	}

	/**
	 * How much at once, and for how long a ticket is held.
	 *
	 * @param atOnce tickets at a time
	 * @param hold after how long a ticket comes again of which nothing was heard
	 */
	record Settings(int atOnce, Duration hold) {
	}

}
