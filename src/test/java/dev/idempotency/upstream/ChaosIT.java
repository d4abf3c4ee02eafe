package dev.idempotency.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A backend that fails at random and clients that do not give up. The choices are
 * reproducible by their seed ({@code -Didempotency.test.seed}), their timing is not.
 */
@ExtendWith(NettyLeaks.class)
class ChaosIT {

	private static final boolean FULL = Boolean.getBoolean("idempotency.test.full");

	private static final int KEYS = FULL ? 20_000 : 300;

	private static final int CLIENTS = FULL ? 100 : 40;

	private static final long SEED = Long.getLong("idempotency.test.seed", new Random().nextLong());

	private static final String TIMES = "timeout: 250ms, deadline: 1s, late-answer: 500ms, "
			+ "retry: { max-attempts: 3, backoff: 5ms, max-backoff: 50ms }, ";

	private final ScriptedBackend backend = ScriptedBackend.start();

	private final Map<String, Integer> ends = new ConcurrentHashMap<>();

	private RunningGateway gateway;

	@AfterEach
	void stop() {
		this.gateway.close();
		this.backend.close();
	}

	@Test
	void nothingIsEverDoneTwice() throws Exception {
		start("chaos", TIMES + "circuit-breaker: { open: 200ms }");
		ErraticService service = new ErraticService(SEED, false);
		this.backend.on("/chaos/charges", service::reply);
		run("chaos", service);
		print("held", "chaos", service);
		assertThat(service.effects().values()).allMatch((times) -> times == 1);
		assertThat(this.ends.keySet()).isSubsetOf("answered", "outcome unknown");
		new RouteState(this.gateway, "chaos").awaitRest();
	}

	@Test
	void aBackendThatHonoursKeysLeavesNoOneWithoutAnAnswer() throws Exception {
		start("honours", TIMES + "backend-idempotent: true, circuit-breaker: { enabled: false }");
		ErraticService service = new ErraticService(SEED, true);
		this.backend.on("/honours/charges", service::reply);
		long begun = System.nanoTime();
		run("honours", service);
		print("resent", "honours", service);
		assertThat(service.effects().values()).allMatch((times) -> times == 1);
		assertThat(this.ends).containsOnlyKeys("answered");
		RouteState state = new RouteState(this.gateway, "honours");
		double first = state.count("idempotency.requests", "executed")
				+ state.count("idempotency.requests", "released");
		double resends = state.attempts().values().stream().mapToInt(Integer::intValue).sum() - first;
		long windows = 1 + (System.nanoTime() - begun) / Duration.ofSeconds(10).toNanos();
		assertThat(resends).isPositive().isLessThanOrEqualTo(0.2 * first + 10 * windows);
		state.awaitRest();
	}

	@Test
	void aDeadBackendIsNotMultiplied() throws Exception {
		start("dead", TIMES + "circuit-breaker: { minimum-calls: 50 }");
		this.backend.refuse();
		int offered = 3 * KEYS;
		RouteState state = new RouteState(this.gateway, "dead");
		List<Future<?>> clients = new ArrayList<>();
		ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
		for (int i = 0; i < offered; i++) {
			String key = "k" + i;
			clients.add(threads
				.submit(() -> assertThat(new PersistentClient(this.gateway, "/dead/charges", key, SEED).once())
					.contains("upstream-unavailable", "not-applied")));
		}
		for (Future<?> client : clients) {
			client.get(2, TimeUnit.MINUTES);
		}
		threads.shutdown();
		int attempts = state.attempts().getOrDefault("not_applied_unreachable", 0);
		System.out.println("dead backend: " + offered + " operations, " + attempts + " attempts, circuit "
				+ state.upstream().circuitState());
		assertThat(state.upstream().circuitState()).isEqualTo("OPEN");
		assertThat(attempts).isLessThan(offered / 2);
		state.awaitRest();
	}

	private void start(String route, String policy) {
		this.gateway = RunningGateway.start(new Routes().route(route, this.backend.uri(), policy)
			.with("spring.cloud.gateway.server.webflux.httpclient.connect-timeout: 1000")
			.with("logging.level: { dev.idempotency.operations: error, reactor.netty.http.client: error }")
			.yaml());
	}

	private void run(String route, ErraticService service) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
		AtomicInteger done = new AtomicInteger();
		List<Future<?>> clients = new ArrayList<>();
		for (int i = 0; i < KEYS; i++) {
			String key = "k" + i;
			clients.add(threads.submit(() -> {
				String end = new PersistentClient(this.gateway, "/" + route + "/charges", key, SEED)
					.untilFinal(service::wasDone);
				this.ends.merge(end, 1, Integer::sum);
				if (done.incrementAndGet() % 100 == 50) {
					restartBackend();
				}
			}));
		}
		for (Future<?> client : clients) {
			client.get(20, TimeUnit.MINUTES);
		}
		threads.shutdown();
	}

	/** Connections are reset and refused for as long as it takes to listen again. */
	private synchronized void restartBackend() {
		this.backend.refuse();
		this.backend.accept();
	}

	private void print(String what, String route, ErraticService service) {
		System.out
			.println("chaos (" + what + "), seed " + SEED + ": " + KEYS + " keys ended " + new TreeMap<>(this.ends)
					+ "; backend " + service.counts() + "; attempts " + new RouteState(this.gateway, route).attempts());
	}

}
