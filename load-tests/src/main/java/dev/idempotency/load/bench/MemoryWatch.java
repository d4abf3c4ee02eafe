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
 * and what 64 bodies at the limit take that are held at once.
 */
final class MemoryWatch {

	private static final List<String> WATCHED = List.of("-Xmx512m", "-XX:NativeMemoryTracking=summary");

	private static final int LINES = 10;

	private static final int LARGE = 1_000_000;

	private static final int AT_ONCE = 64;

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
		List<Fleet.Member> members = List.of(Fleet.Member.READY);
		try (Backend backend = Backend.counting();
				Stores stores = Stores.withRedis(store);
				Fleet fleet = Fleet.start(this.options, this.extracted, backend, stores, members)) {
			System.out.printf("%n%s store, %s%n", store.configured(), String.join(" ", WATCHED));
			System.out.printf("%12s %14s %14s%n", "requests", "heap MiB", "direct MiB");
			flood(fleet.get(Fleet.Member.READY));
			burst(fleet.get(Fleet.Member.READY));
		}
	}

	private void flood(Fleet.Running gateway) {
		Traffic traffic = Traffic.of("/keyed/orders?size=200", 200, 'a', Keys.fresh());
		long done = 0;
		for (int line = 1; line <= LINES; line++) {
			while (done < this.options.requests() * line / LINES) {
				Sample sample = Window.closedLoop(gateway.client(), traffic, Case.CREATED, Duration.ofSeconds(1));
				done += sample.answers();
				if (sample.others() > 0) {
					throw new IllegalStateException(sample.others() + " requests were not answered with 201");
				}
			}
			line(Long.toString(done), gateway.meter().heapAfterCollection(), gateway.meter().direct());
		}
	}

	/** The backend holds all of them for a while, so the gateway has to as well. */
	private static void burst(Fleet.Running gateway) {
		JavaMeter meter = gateway.meter();
		Traffic traffic = Traffic.of("/keyed/orders?delay=2000&size=" + LARGE, LARGE, 'a', Keys.fresh());
		CompletableFuture<Sample> burst = CompletableFuture
			.supplyAsync(() -> Window.closedLoop(gateway.client(), traffic, Case.CREATED, Duration.ZERO));
		long heap = 0;
		long direct = 0;
		while (!burst.isDone()) {
			heap = Math.max(heap, meter.heap());
			direct = Math.max(direct, meter.direct());
			Await.pause(Duration.ofMillis(20));
		}
		Sample sample = burst.join();
		line("at most", heap, direct);
		System.out.printf("%d requests of %d bytes at once, answered as large: %d with 201, %d refused%n", AT_ONCE,
				LARGE, sample.answers(), sample.others());
		line("afterwards", meter.heapAfterCollection(), meter.direct());
	}

	private static void line(String what, long heap, long direct) {
		System.out.printf(Locale.ROOT, "%12s %14.1f %14.1f%n", what, heap / 1048576.0, direct / 1048576.0);
	}

}
