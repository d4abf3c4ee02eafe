package dev.idempotency.testing;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What reached a backend, in order, for those who count it and those who wait for it. */
final class Arrivals {

	private final Map<Integer, Arrival> byNumber = new LinkedHashMap<>();

	private int next;

	synchronized int add(Arrival head) {
		this.byNumber.put(this.next, head);
		notifyAll();
		return this.next++;
	}

	synchronized void replace(int number, Arrival arrival) {
		this.byNumber.computeIfPresent(number, (same, head) -> arrival);
		notifyAll();
	}

	synchronized void forget(Predicate<Arrival> unwanted) {
		this.byNumber.values().removeIf(unwanted);
	}

	synchronized List<Arrival> matching(Predicate<Arrival> wanted) {
		return this.byNumber.values().stream().filter(wanted).toList();
	}

	synchronized void await(int count, Predicate<Arrival> wanted, Duration limit) {
		long end = System.nanoTime() + limit.toNanos();
		for (int there = count(wanted); there < count; there = count(wanted)) {
			long millis = (end - System.nanoTime()) / 1_000_000;
			if (millis <= 0) {
				throw new AssertionError("expected " + count + " requests within " + limit + " but came " + there
						+ " of that kind; in all: " + this.byNumber.values());
			}
			pause(millis);
		}
	}

	private int count(Predicate<Arrival> wanted) {
		return matching(wanted).size();
	}

	private void pause(long millis) {
		try {
			wait(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError("interrupted while waiting for a request", ex);
		}
	}

}
