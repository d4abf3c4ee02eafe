package dev.idempotency.load.bench;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One stretch of load on one gateway. It ends when every request that was sent is
 * answered, so that processor time divides by answers exactly. All of it runs on the
 * client's one thread.
 */
final class Window implements ClientConnection.Listener {

	private static final long PATIENCE_SECONDS = 60;

	private final Client client;

	private final Traffic traffic;

	private final int expected;

	private final CompletableFuture<Sample> result = new CompletableFuture<>();

	/** Requests whose time has come but that found no connection free. */
	private final Deque<Long> due = new ArrayDeque<>();

	private final Deque<ClientConnection> idle = new ArrayDeque<>();

	private long[] latencies = new long[4096];

	private int count;

	private final Map<Integer, Long> others = new TreeMap<>();

	private long begin;

	private long end;

	private boolean closed;

	private Window(Client client, Traffic traffic, int expected) {
		this.client = client;
		this.traffic = traffic;
		this.expected = expected;
	}

	/**
	 * Each connection sends its next request as soon as it has its answer: shows what a
	 * gateway can do.
	 */
	static Sample closedLoop(Client client, Traffic traffic, int expected, Duration length) {
		Window window = new Window(client, traffic, expected);
		return window.run(length, () -> {
			window.closed = true;
			client.connections().forEach(window::sendNow);
		});
	}

	/**
	 * Requests come at even distances, whatever becomes of them: shows latencies, counted
	 * from when a request should have been sent.
	 */
	static Sample constantRate(Client client, Traffic traffic, int expected, Duration length, double perSecond) {
		Window window = new Window(client, traffic, expected);
		return window.run(length, () -> {
			window.idle.addAll(client.connections());
			window.arrive(window.begin, (long) (1e9 / perSecond));
		});
	}

	/**
	 * Exactly so many requests, one after the other, to make what later ones shall meet.
	 */
	static Sample once(Client client, Traffic traffic, int expected) {
		Window window = new Window(client, traffic, expected);
		return window.run(Duration.ZERO, () -> {
			window.idle.addAll(client.connections());
			window.due.add(window.begin);
			window.sendDue();
		});
	}

	private Sample run(Duration length, Runnable start) {
		this.client.thread().execute(() -> {
			this.client.connections().forEach((connection) -> connection.listener(this));
			this.begin = System.nanoTime();
			this.end = this.begin + length.toNanos();
			this.client.thread().schedule(this::finishIfDone, length.toNanos(), TimeUnit.NANOSECONDS);
			start.run();
		});
		try {
			return this.result.get(length.toSeconds() + PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("after " + this.count + " good answers: " + ex.getCause().getMessage(), ex);
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException("requests were not answered within " + PATIENCE_SECONDS + " s; "
					+ this.count + " good answers before", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted", ex);
		}
	}

	private void arrive(long time, long distance) {
		long next = time;
		for (; next <= System.nanoTime() && next < this.end; next += distance) {
			this.due.add(next);
		}
		sendDue();
		if (next < this.end) {
			long then = next;
			this.client.thread().schedule(() -> arrive(then, distance), then - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
	}

	private void sendDue() {
		while (!this.due.isEmpty() && !this.idle.isEmpty()) {
			this.idle.remove().send(this.traffic.next(), this.due.remove());
		}
	}

	private void sendNow(ClientConnection connection) {
		connection.send(this.traffic.next(), System.nanoTime());
	}

	@Override
	public void broken(String why) {
		this.result.completeExceptionally(new IllegalStateException(why));
	}

	@Override
	public void answered(ClientConnection connection, int status) {
		long now = System.nanoTime();
		record(status, now - connection.begun());
		if (this.closed && now < this.end) {
			sendNow(connection);
			return;
		}
		this.idle.add(connection);
		sendDue();
		finishIfDone();
	}

	private void record(int status, long latency) {
		if (status != this.expected) {
			this.others.merge(status, 1L, Long::sum);
			return;
		}
		if (this.count == this.latencies.length) {
			this.latencies = Arrays.copyOf(this.latencies, 2 * this.count);
		}
		this.latencies[this.count++] = latency;
	}

	private void finishIfDone() {
		long now = System.nanoTime();
		if (now >= this.end && this.due.isEmpty() && this.idle.size() == this.client.connections().size()) {
			this.result.complete(new Sample(this.count, Map.copyOf(this.others), Duration.ofNanos(now - this.begin),
					Arrays.copyOf(this.latencies, this.count)));
		}
	}

}
