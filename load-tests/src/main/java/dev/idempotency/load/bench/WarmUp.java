package dev.idempotency.load.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.idempotency.load.rig.Await;

/** Keeps gateways busy until what a request costs them no longer falls. */
final class WarmUp {

	private static final Duration WINDOW = Duration.ofSeconds(1);

	private static final int COMPARED = 3;

	private static final double STEADY = 0.04;

	private final Probe probe;

	private final Duration limit;

	WarmUp(Probe probe, Duration limit) {
		this.probe = probe;
		this.limit = limit;
	}

	/** Runs all cases in turn, since each leaves its mark on what is compiled how. */
	void run(List<Case> cases) {
		long end = System.nanoTime() + this.limit.toNanos();
		List<List<Double>> seen = cases.stream().<List<Double>>map((one) -> new ArrayList<>()).toList();
		while (System.nanoTime() - end < 0 && !seen.stream().allMatch(WarmUp::steady)) {
			for (int i = 0; i < cases.size() && System.nanoTime() - end < 0; i++) {
				seen.get(i).add(this.probe.warm(cases.get(i), WINDOW));
			}
			// The compiler gets little of a processor that requests can have for
			// themselves.
			Await.pause(WINDOW);
		}
		if (!seen.stream().allMatch(WarmUp::steady)) {
			System.out.println("Not steady after " + this.limit.toSeconds() + " s of warm-up: " + last(cases, seen));
		}
	}

	/** The newest three are not below the three before them. */
	private static boolean steady(List<Double> cpu) {
		int count = cpu.size();
		return count >= 2 * COMPARED && mean(cpu.subList(count - COMPARED, count)) > (1 - STEADY)
				* mean(cpu.subList(count - 2 * COMPARED, count - COMPARED));
	}

	private static double mean(List<Double> values) {
		return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
	}

	private static String last(List<Case> cases, List<List<Double>> seen) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < cases.size(); i++) {
			if (!steady(seen.get(i))) {
				List<Double> all = seen.get(i);
				text.append(cases.get(i).name()).append(' ');
				all.subList(Math.max(0, all.size() - 2 * COMPARED), all.size())
					.forEach((cpu) -> text.append(Math.round(cpu)).append(' '));
			}
		}
		return text.toString().trim();
	}

}
