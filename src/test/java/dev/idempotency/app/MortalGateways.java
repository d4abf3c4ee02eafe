package dev.idempotency.app;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.idempotency.testing.GatewayProcess;

/**
 * Two gateways that are killed in turn, on a timer, each while it serves; and started
 * again at once.
 */
final class MortalGateways implements AutoCloseable {

	private static final int COUNT = 2;

	private static final List<String> PROGRAM = QuickStart.program();

	private final String routes;

	private final AtomicReferenceArray<GatewayProcess> processes = new AtomicReferenceArray<>(COUNT);

	private final ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();

	private final AtomicInteger kills = new AtomicInteger();

	private volatile @Nullable Future<?> killing;

	MortalGateways(String routes) {
		this.routes = routes;
		all().forEach((number) -> this.processes.set(number, start()));
		all().forEach((number) -> this.processes.get(number).awaitReady());
	}

	/** One of them, whichever process that is now. */
	GatewayProcess get(int number) {
		return this.processes.get(Math.floorMod(number, COUNT));
	}

	/**
	 * One is killed after each pause, later only if the other does not yet serve again.
	 */
	void killEvery(Duration pause) {
		this.killing = this.killer.scheduleWithFixedDelay(this::killNext, pause.toMillis(), pause.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	/**
	 * A gateway that does not start any more ends the killing, and has to end the test.
	 * @throws ExecutionException why it did not
	 */
	void requireKilling() throws ExecutionException, InterruptedException {
		Future<?> now = this.killing;
		if (now != null && now.isDone()) {
			now.get();
		}
	}

	int kills() {
		return this.kills.get();
	}

	/** Lets both live from now on, and waits until they serve. */
	void spare() throws InterruptedException {
		this.killer.shutdown();
		this.killer.awaitTermination(2, TimeUnit.MINUTES);
		all().forEach((number) -> get(number).awaitReady());
	}

	/**
	 * Where starting takes longer than the pause, both would be down most of the time.
	 */
	private void killNext() {
		int number = this.kills.get() % COUNT;
		all().forEach((each) -> get(each).awaitReady());
		get(number).kill();
		this.kills.incrementAndGet();
		this.processes.set(number, start());
	}

	private GatewayProcess start() {
		return GatewayProcess.start(this.routes, PROGRAM);
	}

	private static List<Integer> all() {
		return IntStream.range(0, COUNT).boxed().toList();
	}

	@Override
	public void close() throws InterruptedException {
		this.killer.shutdownNow();
		this.killer.awaitTermination(2, TimeUnit.MINUTES);
		all().forEach((number) -> get(number).close());
	}

}
