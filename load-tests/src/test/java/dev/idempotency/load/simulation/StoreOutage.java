package dev.idempotency.load.simulation;

import java.time.Duration;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;

import dev.idempotency.load.rig.RedisProcess;
import dev.idempotency.load.rig.Store;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/**
 * Redis stands still for a while under load. Nothing is forwarded without protection:
 * clients are told 503 and come again, also to claims whose answer was lost.
 */
public class StoreOutage extends Simulation {

	private static final Duration OUTAGE = Duration.ofSeconds(4);

	private static final int TRIES = 40;

	private final double rate = Settings.rate(80);

	private final Duration duration = Settings.duration(20);

	private final Stage stage = Stage.with(Settings.store(Store.REDIS), 1, "");

	public StoreOutage() {
		RedisProcess redis = this.stage.stores().redis();
		PopulationBuilder orders = scenario("orders").exec(Orders.newKey())
			.exec(Orders.untilDone(Orders.order("order", this.stage.address() + "?delay=20"), TRIES, 503, 409))
			.injectOpen(constantUsersPerSec(this.rate).during(this.duration));
		PopulationBuilder outage = scenario("outage").pause(this.duration.dividedBy(3)).exec((session) -> {
			redis.freeze();
			return session;
		}).pause(OUTAGE).exec((session) -> {
			redis.thaw();
			return session;
		}).injectOpen(atOnceUsers(1));
		setUp(orders.andThen(Audit.of(this.stage.backend(), Settings.requests(this.rate, this.duration))), outage)
			.protocols(Orders.protocol())
			.assertions(global().failedRequests().count().is(0L), Audit.passed(),
					details("order").allRequests().count().gt((long) Settings.requests(this.rate, this.duration)));
	}

	@Override
	public void after() {
		this.stage.close();
	}

}
