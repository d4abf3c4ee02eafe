package dev.idempotency.load.simulation;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.gatling.javaapi.core.Simulation;

import dev.idempotency.load.rig.Store;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

/** Clients that never heard the answer send a few orders again and again. */
public class ReplayStorm extends Simulation {

	private static final int KEYS = 50;

	private static final Duration RAMP = Duration.ofSeconds(3);

	private final Stage stage = Stage.with(Settings.store(Store.REDIS), 1, "");

	public ReplayStorm() {
		String address = this.stage.address();
		setUp(scenario("orders").exec(Orders.sharedKey(1))
			.exec((session) -> session.set(Orders.KEY, "order-" + session.getInt("user")))
			.exec(Orders.order("order", address).check(status().is(201)))
			.injectOpen(rampUsers(KEYS).during(RAMP))
			.andThen(scenario("replays")
				.exec(exec((session) -> session.set(Orders.KEY, "order-" + ThreadLocalRandom.current().nextInt(KEYS))))
				.exec(Orders.order("replay", address).check(status().is(201), Orders.replayed()))
				.injectOpen(constantUsersPerSec(Settings.rate(300)).during(Settings.duration(20)))
				.andThen(Audit.of(this.stage.backend(), KEYS))))
			.protocols(Orders.protocol())
			.assertions(global().failedRequests().count().is(0L), Audit.passed());
	}

	@Override
	public void after() {
		this.stage.close();
	}

}
