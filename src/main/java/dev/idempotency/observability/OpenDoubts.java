package dev.idempotency.observability;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.idempotency.core.RecordId;

/**
 * The latest operations whose outcome this instance does not know: where an operator
 * begins to look. Bounded; the store is what remembers all of them.
 *
 * @since 0.1.0
 */
public final class OpenDoubts {

	/** Enough for a bad night, and a page that can still be read. */
	private static final int MOST = 100;

	private final InstantSource clock;

	private final Map<RecordId, Doubt> doubts = new LinkedHashMap<>();

	private volatile boolean any;

	/**
	 * None yet.
	 * @param clock when a doubt arose
	 */
	public OpenDoubts(InstantSource clock) {
		this.clock = clock;
	}

	/** There is one; one that is known keeps its time. */
	synchronized void add(RecordId id, String route, String reason) {
		this.doubts.putIfAbsent(id, new Doubt(id.digest(), route, reason, this.clock.instant()));
		if (this.doubts.size() > MOST) {
			this.doubts.remove(this.doubts.keySet().iterator().next());
		}
		this.any = true;
	}

	/** The outcome has become known. Cheap where there is no doubt at all. */
	void remove(RecordId id) {
		if (this.any) {
			resolve(id);
		}
	}

	private synchronized void resolve(RecordId id) {
		this.doubts.remove(id);
		this.any = !this.doubts.isEmpty();
	}

	/** The latest first. */
	synchronized List<Doubt> latest() {
		List<Doubt> latest = new ArrayList<>(this.doubts.values());
		Collections.reverse(latest);
		return latest;
	}

	/**
	 * An operation in doubt.
	 *
	 * @param digest name of its record
	 * @param route where it came in
	 * @param reason why nobody knows
	 * @param since when this instance learned of it
	 */
	record Doubt(String digest, String route, String reason, Instant since) {
	}

}
