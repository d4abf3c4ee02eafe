package dev.idempotency.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.idempotency.testing.Arrival;
import dev.idempotency.testing.GatewayProcess;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.ScriptedBackend;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs whose gateways are killed, again and again, while they are submitted and worked
 * on: each one ends, and none is carried out twice where the backend does not say that
 * this does no harm. Half of them go to a backend that honours the key. With
 * {@code idempotency.test.full} there are ten thousand.
 */
@Slow
class JobsKillIT {

	private static final int JOBS = Integer.getInteger("idempotency.test.jobs",
			Boolean.getBoolean("idempotency.test.full") ? 10_000 : 300);

	private static final Duration BETWEEN_KILLS = Duration.ofSeconds(5);

	private static final Duration PATIENCE = Duration.ofMinutes(10);

	private static final int LEAST_KILLS = 2;

	private static final int CLIENTS = 4;

	private final ScriptedBackend backend = ScriptedBackend.start();

	private final Map<String, String> locations = new ConcurrentHashMap<>();

	private final RedisServer redis = RedisServer.start();

	private final AtomicReference<GatewayProcess> mortal = new AtomicReference<>();

	private GatewayProcess survivor;

	private String routes;

	@BeforeEach
	void start() {
		this.backend.always(Reply.json(201, "{}").after(Duration.ofMillis(30)));
		this.routes = """
				spring.data.redis.port: %s
				spring.cloud.gateway.server.webflux.routes:
				  - { id: once, uri: "%s", predicates: [ "Path=/once/**" ], filters: [ "Idempotency=once" ] }
				  - { id: again, uri: "%s", predicates: [ "Path=/again/**" ], filters: [ "Idempotency=again" ] }
				idempotency:
				  store: redis
				  redis.timeout: 2s
				  policies:
				    once: { anonymous: share, async: always, lease: 2s }
				    again: { anonymous: share, async: always, lease: 2s, backend-idempotent: true, retry.max-attempts: 20 }
				"""
			.formatted(this.redis.port(), this.backend.uri(), this.backend.uri());
		this.survivor = GatewayProcess.start(this.routes);
		this.mortal.set(GatewayProcess.start(this.routes));
		this.survivor.awaitReady();
		this.mortal.get().awaitReady();
	}

	@AfterEach
	void stop() {
		this.survivor.close();
		this.mortal.get().close();
		this.redis.close();
		this.backend.close();
	}

	@Test
	void everyJobEndsAndNoneThatMustNotIsCarriedOutTwice() {
		ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
		for (int i = 0; i < JOBS; i++) {
			String path = ((i % 2 == 0) ? "/once/" : "/again/") + i;
			clients.submit(() -> submit(path));
		}
		clients.shutdown();
		Map<String, String> ended = new ConcurrentHashMap<>();
		int kills = 0;
		long giveUp = System.nanoTime() + PATIENCE.toNanos();
		while (ended.size() < JOBS || kills < LEAST_KILLS) {
			assertThat(System.nanoTime()).as(ended.size() + " of " + JOBS + " jobs have ended").isLessThan(giveUp);
			Awaitility.await().pollDelay(BETWEEN_KILLS).until(() -> true);
			this.mortal.get().kill();
			kills++;
			collect(ended);
			this.mortal.set(GatewayProcess.start(this.routes).awaitReady());
		}
		assertThat(clients.isTerminated()).isTrue();
		Map<String, Long> executions = this.backend.arrivals()
			.stream()
			.filter(Arrival::whole)
			.collect(Collectors.groupingBy(Arrival::path, Collectors.counting()));
		List<String> wrong = new ArrayList<>();
		int dead = 0;
		int repeated = 0;
		for (Map.Entry<String, String> job : ended.entrySet()) {
			long times = executions.getOrDefault(job.getKey(), 0L);
			boolean once = job.getKey().startsWith("/once/");
			boolean right = once
					? (times <= 1
							&& (job.getValue().equals("DEAD") || (job.getValue().equals("SUCCEEDED") && times == 1)))
					: (times >= 1 && job.getValue().equals("SUCCEEDED"));
			dead += job.getValue().equals("DEAD") ? 1 : 0;
			repeated += (times > 1) ? 1 : 0;
			if (!right) {
				wrong.add(job + " carried out " + times + " times");
			}
		}
		System.out.println(JOBS + " jobs, " + kills + " kills: " + dead + " dead (unknown), " + repeated
				+ " sent more than once to a backend that honours keys, " + wrong.size() + " wrong");
		assertThat(wrong).isEmpty();
	}

	private void collect(Map<String, String> ended) {
		this.locations.forEach((path, location) -> {
			String status = ended.containsKey(path) ? "QUEUED" : status(location);
			if (!status.equals("QUEUED") && !status.equals("RUNNING")) {
				ended.put(path, status);
			}
		});
	}

	/** As a client does: the same request with the same key until it is taken. */
	private void submit(String path) {
		RawRequest request = RawRequest.post(path, "{\"amount\":1299,\"note\":\"" + "x".repeat(170) + "\"}").key(path);
		for (int tries = 0; !this.locations.containsKey(path); tries++) {
			GatewayProcess gateway = (tries % 2 == 0) == (path.hashCode() % 2 == 0) ? this.survivor : this.mortal.get();
			try {
				RawResponse answer = gateway.send(request);
				if (answer.status() == 202 && answer.clean()) {
					this.locations.put(path, String.valueOf(answer.header("Location")));
				}
			}
			catch (RuntimeException ex) {
				// The one that was asked is dead; the next try asks the other.
			}
		}
	}

	private String status(String location) {
		String text = this.survivor.send(RawRequest.of("GET", location)).text();
		return text.replaceFirst("(?s)^.*\"status\":\"([A-Z]+)\".*$", "$1");
	}

}
