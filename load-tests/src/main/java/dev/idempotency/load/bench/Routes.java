package dev.idempotency.load.bench;

/** The routes of the gateways. */
final class Routes {

	private static final String BARE = """
			spring.cloud.gateway.server.webflux.routes:
			  - id: bare
			    uri: BACKEND
			    predicates: [ "Path=/bare/**" ]
			""";

	/** Answers live shortly, since a run makes gigabytes of large ones. */
	private static final String KEYED = """
			  - id: keyed
			    uri: BACKEND
			    predicates: [ "Path=/keyed/**" ]
			    filters: [ "Idempotency=bench" ]
			  - id: limited
			    uri: BACKEND
			    predicates: [ "Path=/limited/**" ]
			    filters:
			      - name: RequestRateLimiter
			        args: { redis-rate-limiter.replenishRate: 1000000, redis-rate-limiter.burstCapacity: 1000000 }
			idempotency.memory.max-size: 1GB
			idempotency.policies.bench: { ttl: 10s, unknown-ttl: 1m }
			""";

	private static final String LASTING = """
			spring.cloud.gateway.server.webflux.routes:
			  - id: keyed
			    uri: BACKEND
			    predicates: [ "Path=/keyed/**" ]
			    filters: [ "Idempotency" ]
			""";

	private Routes() {
	}

	static String bare(String backend) {
		return BARE.replace("BACKEND", backend);
	}

	/** Answers live as long as they do by default. */
	static String lasting(String backend) {
		return LASTING.replace("BACKEND", backend);
	}

	static String all(String backend) {
		return (BARE + KEYED).replace("BACKEND", backend);
	}

}
