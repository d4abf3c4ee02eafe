package dev.idempotency.store.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobQueue;
import dev.idempotency.core.JobTicket;
import dev.idempotency.core.RecordId;

/**
 * Queues in the memory of this process: jobs are forgotten with it, as their records are.
 *
 * @since 0.1.0
 */
public final class MemoryJobQueue implements JobQueue {

	private final IdempotencyStore store;

	private final LongSupplier nanoTime;

	private final long origin;

	private final Map<String, Queue> queues = new HashMap<>();

	private final AtomicLong numbers = new AtomicLong();

	/**
	 * Empty queues.
	 * @param store where the jobs' records are
	 * @param nanoTime monotonic nanoseconds
	 */
	public MemoryJobQueue(IdempotencyStore store, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
		this.origin = nanoTime.getAsLong();
	}

	@Override
	public Mono<Submission> submit(RecordId id, IdempotencyRecord claim, int limit) {
		return Mono.defer(() -> {
			Job job = claim.job();
			if (job == null) {
				return Mono.error(new IllegalArgumentException("only a job can be submitted"));
			}
			Entry place = reserve(job, limit);
			return (place != null) ? claim(id, claim, job.route(), place) : Mono.just(new Submission.Full());
		});
	}

	@Override
	public Mono<Void> offer(String queue, JobTicket ticket, Duration delay) {
		return Mono.fromRunnable(() -> add(queue, ticket, delay));
	}

	@Override
	public Mono<List<Taken>> take(String queue, int atMost, Duration hold) {
		return Mono.fromSupplier(() -> taken(queue, atMost, hold));
	}

	@Override
	public Mono<Void> putBack(String queue, Taken taken, JobTicket instead, Duration delay) {
		return Mono.fromRunnable(() -> {
			if (removed(queue, taken)) {
				add(queue, instead, delay);
			}
		});
	}

	@Override
	public Mono<Void> dispose(String queue, Taken taken) {
		return Mono.fromRunnable(() -> removed(queue, taken));
	}

	@Override
	public Mono<Long> size(String queue) {
		return Mono.fromSupplier(() -> {
			synchronized (this.queues) {
				return (long) queue(queue).byNumber.size();
			}
		});
	}

	/** The ticket cannot be taken before its record is there. */
	private @Nullable Entry reserve(Job job, int limit) {
		synchronized (this.queues) {
			Queue queue = queue(job.route());
			return (queue.byNumber.size() < limit) ? queue.add(new Entry(this.numbers.incrementAndGet(),
					new JobTicket(job.id(), 0, job.created()), Long.MAX_VALUE)) : null;
		}
	}

	private Mono<Submission> claim(RecordId id, IdempotencyRecord claim, String route, Entry place) {
		return this.store.claim(id, claim).doOnNext((answer) -> {
			synchronized (this.queues) {
				queue(route).remove(place.number);
				if (answer instanceof Claim.Won) {
					queue(route).add(new Entry(place.number, place.ticket, now()));
				}
			}
		}).doOnError((failure) -> {
			synchronized (this.queues) {
				queue(route).remove(place.number);
			}
		}).map(Submission.Answered::new);
	}

	private void add(String queue, JobTicket ticket, Duration delay) {
		synchronized (this.queues) {
			queue(queue).add(new Entry(this.numbers.incrementAndGet(), ticket, now() + delay.toNanos()));
		}
	}

	private boolean removed(String queue, Taken taken) {
		synchronized (this.queues) {
			return queue(queue).remove(Long.parseLong(taken.handle()));
		}
	}

	private List<Taken> taken(String name, int atMost, Duration hold) {
		synchronized (this.queues) {
			Queue queue = queue(name);
			List<Taken> taken = new ArrayList<>();
			long now = now();
			while (taken.size() < atMost && !queue.byTime.isEmpty() && queue.byTime.first().due <= now) {
				Entry next = queue.byTime.first();
				queue.remove(next.number);
				queue.add(new Entry(next.number, next.ticket, now + hold.toNanos()));
				taken.add(new Taken(next.ticket, Long.toString(next.number)));
			}
			return taken;
		}
	}

	private Queue queue(String name) {
		return this.queues.computeIfAbsent(name, (fresh) -> new Queue());
	}

	private long now() {
		return this.nanoTime.getAsLong() - this.origin;
	}

	/** A ticket and from when on it may be taken. */
	private record Entry(long number, JobTicket ticket, long due) {
	}

	/** Not thread-safe. */
	private static final class Queue {

		private final Map<Long, Entry> byNumber = new HashMap<>();

		private final TreeSet<Entry> byTime = new TreeSet<>(
				Comparator.comparingLong(Entry::due).thenComparingLong(Entry::number));

		Entry add(Entry entry) {
			this.byNumber.put(entry.number, entry);
			this.byTime.add(entry);
			return entry;
		}

		boolean remove(long number) {
			Entry entry = this.byNumber.remove(number);
			return entry != null && this.byTime.remove(entry);
		}

	}

}
