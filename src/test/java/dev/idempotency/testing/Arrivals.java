package dev.idempotency.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What reached a backend, in order, for those who count it and those who wait for it. */
final class Arrivals {

	private final List<Arrival> list = new ArrayList<>();

	synchronized int add(Arrival head) {
		this.list.add(head);
		notifyAll();
		return this.list.size() - 1;
	}

	synchronized void replace(int index, Arrival arrival) {
		this.list.set(index, arrival);
		notifyAll();
	}

	synchronized List<Arrival> matching(Predicate<Arrival> wanted) {
		return this.list.stream().filter(wanted).toList();
	}

	synchronized void await(int count, Predicate<Arrival> wanted, Duration limit) {
		long end = System.nanoTime() + limit.toNanos();
		for (int there = count(wanted); there < count; there = count(wanted)) {
			long millis = (end - System.nanoTime()) / 1_000_000;
			if (millis <= 0) {
				throw new AssertionError("expected " + count + " requests within " + limit + " but came " + there
						+ " of that kind; in all: " + this.list);
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
