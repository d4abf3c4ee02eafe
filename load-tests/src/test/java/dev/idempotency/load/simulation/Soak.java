package dev.idempotency.load.simulation;

import java.time.Duration;

import io.gatling.javaapi.core.Simulation;

import dev.idempotency.load.rig.JavaMeter;
import dev.idempotency.load.rig.Store;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

/**
 * Everyday traffic for as long as one likes: new orders, most of them once, some sent
 * again, some keys used for something else. Prints what lives on the gateway's heap
 * before and after.
 */
public class Soak extends Simulation {

	private final double rate = Settings.rate(100);

	private final Duration duration = Settings.duration(30);

	private final Stage stage = Stage.with(Settings.store(Store.REDIS), 1, "");

	private final JavaMeter meter = JavaMeter.of(this.stage.gateway().handle());

	public Soak() {
		String address = this.stage.address();
		setUp(scenario("everyday").exec(Orders.newKey())
			.exec(Orders.order("order", address).check(status().is(201)))
			.randomSwitch()
			.on(percent(25).then(exec(Orders.order("replay", address).check(status().is(201), Orders.replayed()))),
					percent(5).then(exec(http("reuse").post(address)
						.header("Idempotency-Key", "#{key}")
						.body(StringBody("{\"amount\":1}"))
						.check(status().is(422)))))
			.injectOpen(constantUsersPerSec(this.rate).during(this.duration))
			.andThen(Audit.of(this.stage.backend(), Settings.requests(this.rate, this.duration))))
			.protocols(Orders.protocol())
			.assertions(global().failedRequests().count().is(0L), Audit.passed());
	}

	@Override
	public void before() {
		printHeap("before");
	}

	@Override
	public void after() {
		printHeap("after");
		this.meter.close();
		this.stage.close();
	}

	private void printHeap(String when) {
		System.out.println(when + ": " + this.meter.heapAfterCollection() / 1024 + " KiB live on the gateway's heap");
	}

}
