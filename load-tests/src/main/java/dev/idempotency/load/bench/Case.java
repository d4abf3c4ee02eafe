package dev.idempotency.load.bench;

import java.util.List;

import dev.idempotency.load.bench.Traffic.Keys;

/**
 * One kind of request on one gateway.
 *
 * @param name as the report shows it
 * @param gateway which of the gateways it asks
 * @param traffic what it sends
 * @param expected the status of a good answer
 * @param before sent once before each window, so that there is something to meet
 */
record Case(String name, Fleet.Member gateway, Traffic traffic, int expected, List<Traffic> before) {

	/** The case that all others are compared with. */
	static final String BARE = "bare";

	static final String NEW_KEYS = "new keys";

	static final int CREATED = 201;

	private static final int KEY_REUSED = 422;

	private static final char ONE = 'a';

	private static final char ANOTHER = 'b';

	/** The most important ones on another build of the gateway. */
	static List<Case> ofOther(Size size) {
		return of(size).stream()
			.limit(3)
			.map((one) -> new Case("other build: " + one.name(), Fleet.Member.OTHER, one.traffic(), one.expected(),
					one.before()))
			.toList();
	}

	/** All cases of one size. */
	static List<Case> of(Size size) {
		String wish = "?size=" + size.answer();
		String keyed = "/keyed/orders" + wish;
		Traffic bare = Traffic.of("/bare/orders" + wish, size.request(), ONE, Keys.fresh());
		String done = Keys.fresh().next();
		Traffic first = Traffic.of(keyed, size.request(), ONE, Keys.constant(done));
		return List.of(fresh(BARE, Fleet.Member.READY, bare),
				fresh(NEW_KEYS, Fleet.Member.READY, Traffic.of(keyed, size.request(), ONE, Keys.fresh())),
				new Case("replays", Fleet.Member.READY, first, CREATED, List.of(first)),
				new Case("conflicts", Fleet.Member.READY,
						Traffic.of(keyed, size.request(), ANOTHER, Keys.constant(done)), KEY_REUSED, List.of(first)),
				fresh("rate limiter", Fleet.Member.READY,
						Traffic.of("/limited/orders" + wish, size.request(), ONE, Keys.fresh())),
				fresh("stock bare", Fleet.Member.STOCK, bare),
				fresh("stock bare, no actuator", Fleet.Member.MINIMAL, bare));
	}

	private static Case fresh(String name, Fleet.Member gateway, Traffic traffic) {
		return new Case(name, gateway, traffic, CREATED, List.of());
	}

}
