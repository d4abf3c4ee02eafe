package dev.idempotency.load.simulation;

import java.time.Duration;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;

import dev.idempotency.load.rig.Store;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

/**
 * A third of the orders takes seconds. More than a hundred are under way at once, and the
 * quick ones are as quick as if they were alone: half of them, since a machine that
 * stands still for a moment proves nothing.
 */
public class SlowBackend extends Simulation {

	private static final Duration DELAY = Duration.ofSeconds(3);

	private final double rate = Settings.rate(120);

	private final Duration duration = Settings.duration(20);

	private final Stage stage = Stage.with(Settings.store(Store.REDIS), 1, "");

	public SlowBackend() {
		double slow = this.rate / 3;
		double quick = this.rate - slow;
		int keys = Settings.requests(slow, this.duration) + Settings.requests(quick, this.duration);
		setUp(orders("slow order", "?delay=" + DELAY.toMillis(), slow).andThen(Audit.of(this.stage.backend(), keys)),
				orders("quick order", "", quick))
			.protocols(Orders.protocol())
			.assertions(global().failedRequests().count().is(0L), Audit.passed(),
					details("slow order").responseTime().percentile(50).lt((int) DELAY.plusSeconds(1).toMillis()),
					details("quick order").responseTime().percentile(50).lt((int) DELAY.toMillis() / 3));
	}

	private PopulationBuilder orders(String name, String query, double arrivals) {
		return scenario(name).exec(Orders.newKey())
			.exec(Orders.order(name, this.stage.address() + query).check(status().is(201)))
			.injectOpen(constantUsersPerSec(arrivals).during(this.duration));
	}

	@Override
	public void after() {
		this.stage.close();
	}

}
