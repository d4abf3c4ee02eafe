package dev.idempotency.store.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is known of the server behind a connection; of a cluster what holds of its weakest
 * node.
 *
 * @param topology {@code standalone}, {@code sentinel}, {@code cluster} or
 * {@code master-replica}
 * @param version as the server says it, {@code unknown} where it must not be asked
 * @param evictionPolicy {@code maxmemory-policy}, {@code unknown} likewise
 * @param appendOnly whether writes go to a file
 * @param replicas connected replicas
 * @since 0.1.0
 */
public record RedisServerFacts(String topology, String version, String evictionPolicy, boolean appendOnly,
		int replicas) {

	/** The one policy under which Redis keeps what it was given. */
	public static final String NO_EVICTION = "noeviction";

	private static final String UNKNOWN = "unknown";

	private static final int SET_NX_GET = 7;

	/** What can be said where {@code INFO} is forbidden. */
	static RedisServerFacts unknown(String topology) {
		return new RedisServerFacts(topology, UNKNOWN, UNKNOWN, false, 0);
	}

	static RedisServerFacts parse(String topology, String info) {
		Map<String, String> lines = new HashMap<>();
		info.lines().forEach((line) -> {
			int colon = line.indexOf(':');
			if (colon > 0) {
				lines.put(line.substring(0, colon), line.substring(colon + 1).trim());
			}
		});
		return new RedisServerFacts(topology, lines.getOrDefault("redis_version", UNKNOWN),
				lines.getOrDefault("maxmemory_policy", UNKNOWN), "1".equals(lines.get("aof_enabled")),
				number(lines.getOrDefault("connected_slaves", "0")));
	}

	/** What holds of all nodes. */
	static RedisServerFacts weakest(String topology, List<RedisServerFacts> nodes) {
		return nodes.stream().reduce(RedisServerFacts::weaker).orElseGet(() -> unknown(topology));
	}

	/** Whether the server may drop records before their time. */
	public boolean evicts() {
		return !this.evictionPolicy.equals(NO_EVICTION) && isKnown();
	}

	boolean isKnown() {
		return !this.version.equals(UNKNOWN);
	}

	/** Whether {@code SET NX GET} is understood: Redis 7.0 and newer. */
	boolean setsAndGets() {
		return major() >= SET_NX_GET;
	}

	private RedisServerFacts weaker(RedisServerFacts other) {
		return new RedisServerFacts(this.topology, (major() <= other.major()) ? this.version : other.version,
				this.evictionPolicy.equals(NO_EVICTION) ? other.evictionPolicy : this.evictionPolicy,
				this.appendOnly && other.appendOnly, Math.min(this.replicas, other.replicas));
	}

	private int major() {
		int dot = this.version.indexOf('.');
		return (dot > 0) ? number(this.version.substring(0, dot)) : 0;
	}

	private static int number(String digits) {
		try {
			return Integer.parseInt(digits);
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	@Override
	public String toString() {
		if (!isKnown()) {
			return "Redis (" + this.topology + ", INFO is not permitted)";
		}
		return "Redis " + this.version + " (" + this.topology + ", maxmemory-policy " + this.evictionPolicy
				+ ", append-only file " + (this.appendOnly ? "on" : "off") + ", replicas " + this.replicas + ")";
	}

}
