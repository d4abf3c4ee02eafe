package dev.idempotency.load.simulation;

import java.time.Duration;
import java.util.List;

import io.gatling.javaapi.core.Simulation;

import dev.idempotency.load.rig.Store;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/**
 * Each order comes several times within a moment, now to one gateway, now to the other:
 * executions = keys, whoever wins. Those who are told 409 meanwhile come again, and all
 * are told of the one execution in the end.
 */
public class DuplicateStorm extends Simulation {

	private static final int COPIES = 8;

	private final double rate = Settings.rate(160);

	private final Duration duration = Settings.duration(20);

	private final Stage stage = Stage.with(Settings.store(Store.REDIS), 2, "");

	public DuplicateStorm() {
		List<String> addresses = this.stage.addresses();
		int users = Settings.requests(this.rate, this.duration);
		int keys = (users + COPIES - 1) / COPIES;
		setUp(scenario("duplicates").exec(Orders.sharedKey(COPIES))
			.exec((session) -> session.set("address", addresses.get(session.getInt("user") % addresses.size())))
			.exec(Orders.untilDone(Orders.order("order", "#{address}?delay=100"), 10, 409))
			.injectOpen(constantUsersPerSec(this.rate).during(this.duration))
			.andThen(Audit.of(this.stage.backend(), keys))).protocols(Orders.protocol())
			.assertions(global().failedRequests().count().is(0L), Audit.passed(),
					details("order").allRequests().count().gt((long) users));
	}

	@Override
	public void after() {
		this.stage.close();
	}

}
