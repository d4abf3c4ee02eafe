package dev.idempotency.load.bench;

import java.time.Duration;

import dev.idempotency.load.rig.JavaMeter;
import dev.idempotency.load.rig.RedisCount;
import dev.idempotency.load.rig.RedisProcess;

/** Measures one case once. */
final class Probe {

	private static final int COUNTED = 20;

	static final double TOLERATED = 0.02;

	private final Fleet fleet;

	private final RedisProcess redis;

	Probe(Fleet fleet, RedisProcess redis) {
		this.fleet = fleet;
		this.redis = redis;
	}

	/**
	 * Keeps a gateway busy. A cold one may refuse some: it is too slow to hear its store
	 * in time.
	 * @return microseconds of its processor time for each answer
	 */
	double warm(Case one, Duration length) {
		prepare(one);
		Duration cpu = this.fleet.get(one.gateway()).meter().cpu();
		Sample sample = Window.closedLoop(client(one), one.traffic(), one.expected(), length);
		return this.fleet.get(one.gateway()).meter().cpu().minus(cpu).toNanos() / 1e3
				/ (sample.answers() + sample.others());
	}

	/** As fast as it goes. */
	Measurement measure(Case one, Duration length) {
		Fleet.Running running = this.fleet.get(one.gateway());
		JavaMeter meter = running.meter();
		prepare(one);
		long allocated = meter.allocated();
		Duration cpu = meter.cpu();
		Sample sample = checked(one, Window.closedLoop(running.client(), one.traffic(), one.expected(), length));
		double answers = sample.answers();
		return new Measurement(sample.perSecond(), sample.percentile(0.5), sample.percentile(0.99),
				meter.cpu().minus(cpu).toNanos() / 1e3 / answers, (meter.allocated() - allocated) / answers);
	}

	/** At this rate: the 99th percentile in milliseconds. */
	double p99(Case one, Duration length, double perSecond) {
		prepare(one);
		return checked(one, Window.constantRate(client(one), one.traffic(), one.expected(), length, perSecond))
			.percentile(0.99);
	}

	/** One after the other: how many round trips to Redis each takes. */
	double redisRoundTrips(Case one) {
		prepare(one);
		try (RedisCount count = new RedisCount(this.redis)) {
			for (int i = 0; i < COUNTED; i++) {
				checked(one, Window.once(client(one), one.traffic(), one.expected()));
			}
			return (double) count.commands() / COUNTED;
		}
	}

	private void prepare(Case one) {
		for (Traffic before : one.before()) {
			Window.once(client(one), before, Case.CREATED);
		}
	}

	private Client client(Case one) {
		return this.fleet.get(one.gateway()).client();
	}

	/**
	 * A figure of requests that failed is worth nothing. A moment in which the machine
	 * stood still longer than a call of the store may take costs each connection one.
	 */
	private static Sample checked(Case one, Sample sample) {
		if (sample.others() > sample.answers() * TOLERATED) {
			throw new IllegalStateException(one.name() + ": " + sample.answers() + " answers with status "
					+ one.expected() + ", and others by status: " + sample.otherStatuses());
		}
		return sample;
	}

}
