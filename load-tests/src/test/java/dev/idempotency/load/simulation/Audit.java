package dev.idempotency.load.simulation;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.PopulationBuilder;

import dev.idempotency.load.rig.Backend;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/** The question at the end of each simulation: was everything done, and nothing twice? */
final class Audit {

	private Audit() {
	}

	/**
	 * One visitor, who comes when the load is over.
	 * @param keys for how many keys the backend should have acted, each once
	 */
	static PopulationBuilder of(Backend backend, int keys) {
		return of(backend, keys, 0);
	}

	/**
	 * The same, where the backend should have refused some.
	 * @param keys for how many keys the backend should have acted, each once
	 * @param refusals how many requests it should have refused at least
	 */
	static PopulationBuilder of(Backend backend, int keys, int refusals) {
		return scenario("audit").exec(Orders.ledger(backend, keys, refusals)).injectOpen(atOnceUsers(1));
	}

	/** Fails the simulation if the answer was no, or if nobody could ask. */
	static Assertion passed() {
		return details(Orders.LEDGER).successfulRequests().count().is(1L);
	}

}
