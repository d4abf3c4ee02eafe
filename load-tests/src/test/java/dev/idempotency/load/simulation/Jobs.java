package dev.idempotency.load.simulation;

import java.time.Duration;

import io.gatling.javaapi.core.Simulation;

import dev.idempotency.load.rig.Store;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

/**
 * Clients that do not wait: each sends its order twice, is told of the same job both
 * times, and asks until the job has ended.
 */
public class Jobs extends Simulation {

	private static final Duration PAUSE = Duration.ofMillis(500);

	private static final int LOOKS = 60;

	private final double rate = Settings.rate(30);

	private final Duration duration = Settings.duration(15);

	private final Stage stage = Stage.with(Settings.store(Store.REDIS), 1, "async: on-request");

	public Jobs() {
		String address = this.stage.address() + "?delay=200";
		setUp(scenario("jobs").exec(Orders.newKey())
			.exec(Orders.order("order", address)
				.header("Prefer", "respond-async")
				.check(status().is(202), header("Location").saveAs("job")))
			.exec(Orders.order("same order", address)
				.header("Prefer", "respond-async")
				.check(status().is(202), header("Location").isEL("#{job}"), Orders.replayed()))
			.exec((session) -> session.set("state", "QUEUED").set("looks", 0))
			.asLongAs((session) -> !"SUCCEEDED".equals(session.getString("state")) && session.getInt("looks") < LOOKS)
			.on(pause(PAUSE).exec((session) -> session.set("looks", session.getInt("looks") + 1))
				.exec(http("look").get(this.stage.gateway().uri() + "#{job}")
					.check(status().is(200),
							jsonPath("$.status").in("QUEUED", "RUNNING", "SUCCEEDED").saveAs("state"))))
			.exec(exec(http("result").get(this.stage.gateway().uri() + "#{job}/result")
				.check(status().is(201), jsonPath("$.order").isEL("#{key}"), jsonPath("$.execution").ofInt().is(1))))
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
