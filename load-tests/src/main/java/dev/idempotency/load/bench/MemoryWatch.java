package dev.idempotency.load.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

import dev.idempotency.load.bench.Traffic.Keys;
import dev.idempotency.load.rig.Await;
import dev.idempotency.load.rig.Backend;
import dev.idempotency.load.rig.JavaMeter;
import dev.idempotency.load.rig.Store;
import dev.idempotency.load.rig.Stores;

/**
 * Prints what lives in a gateway's memory while a flood of distinct keys goes through it,
 * and what 64 bodies at the limit take that are held at once, alone and in that flood.
 * Fails if memory grows with the number of requests, but where memory is the store.
 */
final class MemoryWatch {

	private static final List<String> WATCHED = List.of("-Xmx512m", "-XX:NativeMemoryTracking=summary");

	private static final int LINES = 10;

	/** The limit of the policy, of requests and of answers. */
	private static final int LARGE = 1024 * 1024;

	private static final int AT_ONCE = 64;

	/** By how many bytes the last line may exceed the second. */
	private static final long GROWTH = 16L * 1024 * 1024;

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final int WARM_UP_SECONDS = 5;

	private final Options options;

	private final Extracted extracted;

	MemoryWatch(Options options, Extracted extracted) {
		List<String> jvm = new ArrayList<>(WATCHED);
		jvm.addAll(options.jvm());
		this.options = new Options(options.stores(), options.sizes(), options.rounds(), options.window(),
				options.warmUp(), AT_ONCE, jvm, options.cases(), options.against(), options.requests());
		this.extracted = extracted;
	}

	void run(Store store) {
		List<Fleet.Member> members = List.of(Fleet.Member.WATCHED);
		try (Backend backend = Backend.counting();
				Stores stores = Stores.withRedis(store);
				Fleet fleet = Fleet.start(this.options, this.extracted, backend, stores, members)) {
			Fleet.Running gateway = fleet.get(Fleet.Member.WATCHED);
			System.out.printf("%n%s store, %s%n", store.configured(), String.join(" ", WATCHED));
			System.out.printf("%12s %14s %14s %10s%n", "requests", "heap MiB", "direct MiB", "refused");
			flood(gateway, store);
			System.out.printf("%d requests of %d bytes at once, answers as large%n", AT_ONCE, LARGE);
			burst(gateway);
			System.out.println("the same while distinct keys keep coming");
			try (Client others = Client.connect(gateway.client().thread(), gateway.gateway().port(), AT_ONCE)) {
				CompletableFuture<Sample> flood = CompletableFuture
					.supplyAsync(() -> Window.closedLoop(others, small(), Case.CREATED, Duration.ofSeconds(4)));
				burst(gateway);
				System.out.println(flood.join().answers() + " small ones were answered meanwhile");
			}
			requireSound(gateway.gateway().log());
		}
	}

	private static Traffic small() {
		return Traffic.of("/keyed/orders?size=200", 200, 'a', Keys.fresh());
	}

	/** Unmeasured at first: a cold gateway refuses some. */
	private void flood(Fleet.Running gateway, Store store) {
		Window.closedLoop(gateway.client(), small(), Case.CREATED, SECOND.multipliedBy(WARM_UP_SECONDS));
		long done = 0;
		long refused = 0;
		Line second = Line.of(gateway.meter());
		for (int line = 1; line <= LINES; line++) {
			while (done < this.options.requests() * line / LINES) {
				Sample sample = Window.closedLoop(gateway.client(), small(), Case.CREATED, SECOND);
				done += sample.answers() + sample.others();
				refused += sample.others();
				requireServed(store, sample);
			}
			Line now = Line.of(gateway.meter());
			now.print(Long.toString(done), refused);
			second = (line == 2) ? now : second;
			if (line == LINES && store != Store.MEMORY && now.exceeds(second, GROWTH)) {
				throw new IllegalStateException("memory grows with the number of requests");
			}
		}
	}

	/** A store in memory is full some time, and then it has to refuse. */
	private static void requireServed(Store store, Sample sample) {
		if (store != Store.MEMORY && sample.others() > Probe.TOLERATED * sample.answers()) {
			throw new IllegalStateException("in the flood " + sample.answers() + " requests were answered with 201, "
					+ "and others by status: " + sample.otherStatuses());
		}
	}

	/** The backend holds all of them for a while, so the gateway has to as well. */
	private static void burst(Fleet.Running gateway) {
		JavaMeter meter = gateway.meter();
		Traffic traffic = Traffic.of("/keyed/orders?delay=2000&size=" + LARGE, LARGE, 'a', Keys.fresh());
		CompletableFuture<Sample> burst = CompletableFuture
			.supplyAsync(() -> Window.closedLoop(gateway.client(), traffic, Case.CREATED, Duration.ZERO));
		Line most = new Line(0, 0);
		while (!burst.isDone()) {
			most = most.or(new Line(meter.heap(), meter.direct()));
			Await.pause(Duration.ofMillis(20));
		}
		Sample sample = burst.join();
		most.print("at most", sample.others());
		Line.of(meter).print("afterwards", 0);
		System.out.println(sample.answers() + " were answered with 201, others by status: " + sample.otherStatuses());
	}

	private static void requireSound(String log) {
		for (String sign : List.of("OutOfMemory", "LEAK:")) {
			log.lines().filter((line) -> line.contains(sign)).findFirst().ifPresent((line) -> {
				throw new IllegalStateException("the gateway's log says: " + line);
			});
		}
	}

	/**
	 * What a gateway holds.
	 *
	 * @param heap in bytes
	 * @param direct in bytes
	 */
	private record Line(long heap, long direct) {

		static Line of(JavaMeter meter) {
			return new Line(meter.heapAfterCollection(), meter.direct());
		}

		Line or(Line other) {
			return new Line(Math.max(this.heap, other.heap), Math.max(this.direct, other.direct));
		}

		boolean exceeds(Line other, long bytes) {
			return this.heap > other.heap + bytes || this.direct > other.direct + bytes;
		}

		void print(String what, long refused) {
			System.out.printf(Locale.ROOT, "%12s %14.1f %14.1f %10d%n", what, this.heap / 1048576.0,
					this.direct / 1048576.0, refused);
		}

	}

}
