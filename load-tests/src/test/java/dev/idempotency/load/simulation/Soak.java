package dev.idempotency.load.simulation;

import java.time.Duration;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;

import dev.idempotency.load.rig.JavaMeter;
import dev.idempotency.load.rig.Store;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

/**
 * Everyday traffic for as long as one likes: new orders, most of them once, some sent
 * again, some keys used for something else. What lives on the gateway's heap must not
 * grow once it has run in, but where the heap itself is the store.
 */
public class Soak extends Simulation {

	/** In bytes: what collections and buffers may differ by. */
	private static final long GROWTH = 16 * 1024 * 1024;

	private final double rate = Settings.rate(100);

	private final Duration duration = Settings.duration(30);

	private final Store store = Settings.store(Store.REDIS);

	private final Stage stage = Stage.with(this.store, 1, "");

	private final JavaMeter meter = JavaMeter.of(this.stage.gateway().handle());

	private volatile long runIn;

	public Soak() {
		String address = this.stage.address();
		setUp(scenario("everyday").exec(Orders.newKey())
			.exec(Orders.order("order", address).check(status().is(201)))
			.randomSwitch()
			.on(percent(25).then(exec(Orders.order("replay", address).check(status().is(201), Orders.replayed()))),
					percent(5).then(exec(Orders.reuse("reuse", address))))
			.injectOpen(constantUsersPerSec(this.rate).during(this.duration))
			.andThen(Audit.of(this.stage.backend(), Settings.requests(this.rate, this.duration))), watch())
			.protocols(Orders.protocol())
			.assertions(global().failedRequests().count().is(0L), Audit.passed());
	}

	/**
	 * Looks when the gateway is well run in: what it needs once is on its heap by then.
	 */
	private PopulationBuilder watch() {
		return scenario("watch").pause(this.duration.dividedBy(3)).exec((session) -> {
			this.runIn = liveHeap("run in");
			return session;
		}).injectOpen(atOnceUsers(1));
	}

	@Override
	public void after() {
		long end = liveHeap("at the end");
		this.meter.close();
		this.stage.close();
		if (this.store != Store.MEMORY && end > this.runIn + GROWTH) {
			throw new IllegalStateException("the gateway's heap has grown by " + (end - this.runIn) + " bytes");
		}
	}

	private long liveHeap(String when) {
		long bytes = this.meter.heapAfterCollection();
		System.out.println(when + ": " + bytes / 1024 + " KiB live on the gateway's heap");
		return bytes;
	}

}
