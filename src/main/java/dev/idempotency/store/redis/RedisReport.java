package dev.idempotency.store.redis;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Tells the operator what changed about Redis, once for each change. */
final class RedisReport {

	private static final Log log = LogFactory.getLog(RedisReport.class);

	private volatile @Nullable RedisServerFacts latest;

	private volatile @Nullable String trouble;

	@Nullable RedisServerFacts latest() {
		return this.latest;
	}

	synchronized void connected(RedisServerFacts facts) {
		boolean known = facts.equals(this.latest);
		this.latest = facts;
		if (this.trouble != null || !known) {
			log.info("Idempotency records are kept in " + facts);
		}
		this.trouble = null;
		if (known) {
			return;
		}
		if (facts.evicts()) {
			log.warn("Redis has maxmemory-policy " + facts.evictionPolicy()
					+ ": under memory pressure it drops idempotency records, and a retry of a dropped one is executed "
					+ "again. Set maxmemory-policy to " + RedisServerFacts.NO_EVICTION + ".");
		}
	}

	/** An attempt to connect failed; the same trouble again is no news. */
	synchronized void notConnected(Throwable failure) {
		Throwable root = failure;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		report(root.getClass().getSimpleName() + ((root.getMessage() != null) ? ": " + root.getMessage() : ""));
	}

	synchronized void lost() {
		report("connection lost");
	}

	private void report(String cause) {
		if (!cause.equals(this.trouble)) {
			this.trouble = cause;
			log.warn("Redis is not reachable (" + cause + "); trying again until it is");
		}
	}

}
