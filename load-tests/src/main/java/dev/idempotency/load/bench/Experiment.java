package dev.idempotency.load.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.idempotency.load.rig.Backend;
import dev.idempotency.load.rig.RedisProcess;
import dev.idempotency.load.rig.Store;
import dev.idempotency.load.rig.Stores;

/** One store: its gateways are started, warmed up, and measured in alternating rounds. */
final class Experiment {

	/** Half of the capacity: enough to queue a little, not enough to drown. */
	private static final double LOAD = 0.5;

	private final Options options;

	private final Extracted extracted;

	Experiment(Options options, Extracted extracted) {
		this.options = options;
		this.extracted = extracted;
	}

	List<Result> run(Store store) {
		List<Result> results = new ArrayList<>();
		try (Backend backend = Backend.counting(); Stores stores = Stores.withRedis(store)) {
			List<Fleet.Member> members = cases(this.options.sizes().get(0)).stream()
				.map(Case::gateway)
				.distinct()
				.toList();
			try (Fleet fleet = Fleet.start(this.options, this.extracted, backend, stores, members)) {
				for (Size size : this.options.sizes()) {
					results.add(measure(store, size, new Probe(fleet, stores.redis()), stores.redis()));
				}
			}
		}
		return results;
	}

	private List<Case> cases(Size size) {
		List<Case> all = new ArrayList<>(Case.of(size));
		if (!this.options.against().isEmpty()) {
			all.addAll(Case.ofOther(size));
		}
		return all.stream().filter((one) -> this.options.wants(one.name())).toList();
	}

	private Result measure(Store store, Size size, Probe probe, RedisProcess redis) {
		List<Case> cases = cases(size);
		System.out.println("Warming up: " + store.configured() + ", " + size.name());
		new WarmUp(probe, this.options.warmUp()).run(cases);
		Map<String, List<Measurement>> rounds = new LinkedHashMap<>();
		for (int round = 0; round < this.options.rounds(); round++) {
			for (Case one : cases) {
				rounds.computeIfAbsent(one.name(), (name) -> new ArrayList<>())
					.add(probe.measure(one, this.options.window()));
			}
		}
		Map<String, Measurement> medians = new LinkedHashMap<>();
		rounds.forEach((name, all) -> medians.put(name, Measurement.median(all)));
		Map<String, Double> roundTrips = new LinkedHashMap<>();
		cases.forEach((one) -> roundTrips.put(one.name(), probe.redisRoundTrips(one)));
		return withLatencies(probe, cases, new Result(store.configured(), size.name(), medians, roundTrips,
				recordOverhead(store, size, redis), 0, 0));
	}

	/** Both at the same rate, half of what the slower of the two can do. */
	private Result withLatencies(Probe probe, List<Case> cases, Result result) {
		Optional<Case> bare = named(cases, Case.BARE);
		Optional<Case> fresh = named(cases, Case.NEW_KEYS);
		if (bare.isEmpty() || fresh.isEmpty()) {
			return result;
		}
		double rate = LOAD * Math.min(result.get(Case.BARE).perSecond(), result.get(Case.NEW_KEYS).perSecond());
		List<Double> added = new ArrayList<>();
		for (int round = 0; round < this.options.rounds(); round++) {
			double without = probe.p99(bare.get(), this.options.window(), rate);
			added.add(probe.p99(fresh.get(), this.options.window(), rate) - without);
		}
		return new Result(result.store(), result.size(), result.cases(), result.roundTrips(), result.recordOverhead(),
				rate, Measurement.median(added, Double::doubleValue));
	}

	private static Optional<Case> named(List<Case> cases, String name) {
		return cases.stream().filter((one) -> one.name().equals(name)).findFirst();
	}

	/** What the record of some answered request takes beyond that answer. */
	private static long recordOverhead(Store store, Size size, RedisProcess redis) {
		if (store != Store.REDIS) {
			return 0;
		}
		String key = redis.command("SCAN", "0", "MATCH", "idempotency:*", "COUNT", "1000")
			.lines()
			.filter((line) -> line.startsWith("idempotency:"))
			.findFirst()
			.orElse("");
		return key.isEmpty() ? 0
				: Long.parseLong(redis.command("STRLEN", key)) - size.answer() - Backend.headerBytes(size.answer());
	}

}
