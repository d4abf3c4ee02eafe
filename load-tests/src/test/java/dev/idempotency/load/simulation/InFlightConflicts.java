package dev.idempotency.load.simulation;

import java.time.Duration;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;

import dev.idempotency.load.rig.Store;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.status;

/**
 * One order takes long, and meanwhile everybody asks for it: 409 at once, and no second
 * one.
 */
public class InFlightConflicts extends Simulation {

	private final Duration duration = Settings.duration(15);

	/** It ends when nobody asks any more, so that nobody can meet its answer. */
	private final long delay = this.duration.plusSeconds(4).toMillis();

	private final Stage stage = Stage.with(Settings.store(Store.REDIS), 1, "timeout: 1h\ndeadline: 2h");

	public InFlightConflicts() {
		String address = this.stage.address() + "?delay=" + this.delay;
		PopulationBuilder slow = scenario("the slow one").exec((session) -> session.set(Orders.KEY, "slow"))
			.exec(Orders.order("slow order", address)
				.check(status().is(201))
				.requestTimeout(this.duration.plusMinutes(1)))
			.injectOpen(atOnceUsers(1));
		PopulationBuilder impatient = scenario("the impatient").exec((session) -> session.set(Orders.KEY, "slow"))
			.exec(Orders.order("conflict", address)
				.check(status().is(409), jsonPath("$.code").is("in-progress"), header("Retry-After").exists()))
			.injectOpen(nothingFor(Duration.ofSeconds(2)),
					constantUsersPerSec(Settings.rate(200)).during(this.duration));
		setUp(slow.andThen(Audit.of(this.stage.backend(), 1)), impatient).protocols(Orders.protocol())
			.assertions(global().failedRequests().count().is(0L), Audit.passed(),
					details("slow order").successfulRequests().count().is(1L));
	}

	@Override
	public void after() {
		this.stage.close();
	}

}
