package dev.idempotency.store.postgres;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Tells the operator what changed about PostgreSQL, once for each change. */
final class PostgresReport {

	private static final Log log = LogFactory.getLog(PostgresReport.class);

	private volatile @Nullable PostgresServerFacts latest;

	private @Nullable String trouble;

	@Nullable PostgresServerFacts latest() {
		return this.latest;
	}

	/** Facts that were looked up again while connected. */
	void refreshed(PostgresServerFacts facts) {
		this.latest = facts;
	}

	synchronized void connected(PostgresServerFacts facts) {
		boolean known = facts.equals(this.latest);
		this.latest = facts;
		if (this.trouble != null || !known) {
			log.info("Idempotency records are kept in " + facts);
		}
		this.trouble = null;
		if (!known && !facts.commitsToDisk()) {
			log.warn("PostgreSQL has synchronous_commit off: a crash of the server may lose acknowledged records, and "
					+ "a retry of a lost one is executed again. Set synchronous_commit to on.");
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
			log.warn("PostgreSQL is not reachable (" + cause + "); trying again until it is");
		}
	}

}
