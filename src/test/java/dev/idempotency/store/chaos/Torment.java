package dev.idempotency.store.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets one fault after the other happen to one server, by a choice the seed makes. */
final class Torment implements AutoCloseable {

	private static final int SHORTEST = 50;

	private static final int LONGEST = 2000;

	private static final int LONGEST_PEACE = 4000;

	private final CountDownLatch over = new CountDownLatch(1);

	private final Map<String, Integer> counts = new ConcurrentHashMap<>();

	private final List<Fault> faults;

	private final Random random;

	private final Thread thread;

	Torment(long seed, List<Fault> faults) {
		this.random = new Random(seed);
		this.faults = faults;
		this.thread = new Thread(this::run, "torment");
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/** How often each has happened. */
	Map<String, Integer> counts() {
		return this.counts;
	}

	/** The last one is made good. */
	@Override
	public void close() throws InterruptedException {
		this.over.countDown();
		this.thread.join(Duration.ofMinutes(1).toMillis());
	}

	private void run() {
		while (!isOverAfter(this.random.nextInt(LONGEST_PEACE))) {
			Fault fault = this.faults.get(this.random.nextInt(this.faults.size()));
			this.counts.merge(fault.name(), 1, Integer::sum);
			fault.begin().run();
			isOverAfter(SHORTEST + this.random.nextInt(LONGEST));
			fault.end().run();
		}
	}

	private boolean isOverAfter(int millis) {
		try {
			return this.over.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			return true;
		}
	}

}
