package dev.idempotency.load.simulation;

import java.time.Duration;

import io.gatling.javaapi.core.Simulation;

import dev.idempotency.load.rig.Store;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

/** Orders that come for the first time, each under a key of its own. */
public class FirstRequests extends Simulation {

	private final double rate = Settings.rate(200);

	private final Duration duration = Settings.duration(20);

	private final Stage stage = Stage.with(Settings.store(Store.REDIS), 1, "");

	public FirstRequests() {
		setUp(scenario("first requests").exec(Orders.newKey())
			.exec(Orders.order("order", this.stage.address()).check(status().is(201)))
			.injectOpen(constantUsersPerSec(this.rate).during(this.duration))
			.andThen(Audit.of(this.stage.backend(), Settings.requests(this.rate, this.duration))))
			.protocols(Orders.protocol())
			.assertions(global().failedRequests().count().is(0L), Audit.passed());
	}

	@Override
	public void after() {
		this.stage.close();
	}

}
