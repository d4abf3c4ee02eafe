package dev.idempotency.load.simulation;

import java.time.Duration;

import io.gatling.javaapi.core.Simulation;

import dev.idempotency.load.rig.Store;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/**
 * The backend refuses everything for a part of each period. The gateway sends again what
 * was surely not done, within its budget; clients do so with the rest; every order is
 * made, and made once.
 */
public class FlappingBackend extends Simulation {

	private static final int TRIES = 30;

	private final double rate = Settings.rate(80);

	private final Duration duration = Settings.duration(20);

	private final Stage stage = Stage.with(Settings.store(Store.REDIS), 1, "");

	public FlappingBackend() {
		setUp(scenario("orders").exec(Orders.newKey())
			.exec(Orders.untilDone(Orders.order("order", this.stage.address() + "?refuse=700/3000"), TRIES, 503))
			.injectOpen(constantUsersPerSec(this.rate).during(this.duration))
			.andThen(Audit.of(this.stage.backend(), Settings.requests(this.rate, this.duration), 1)))
			.protocols(Orders.protocol())
			.assertions(global().failedRequests().count().is(0L), Audit.passed());
	}

	@Override
	public void after() {
		this.stage.close();
	}

}
