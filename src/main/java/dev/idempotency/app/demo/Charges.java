package dev.idempotency.app.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** All charges are counted; the latest are kept. */
final class Charges {

	static final int KEPT = 1000;

	private final Deque<Charge> latest = new ArrayDeque<>();

	private long count;

	synchronized Charge make(long amount) {
		this.count++;
		Charge charge = new Charge("ch_" + this.count, amount);
		this.latest.add(charge);
		if (this.latest.size() > KEPT) {
			this.latest.remove();
		}
		return charge;
	}

	synchronized long count() {
		return this.count;
	}

	synchronized Listing list() {
		return new Listing(this.count, KEPT, List.copyOf(this.latest));
	}

	synchronized Optional<Charge> find(String id) {
		return this.latest.stream().filter((charge) -> charge.id().equals(id)).findFirst();
	}

	/**
	 * What a reader of the list gets.
	 *
	 * @param count how many charges were made
	 * @param kept how many of them are listed at most
	 * @param charges the latest, oldest first
	 */
	record Listing(long count, int kept, List<Charge> charges) {
	}

}
