package dev.idempotency.store.chaos;

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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.testing.FaultProxy;
import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two gateways, customers who do not give up, and stores to which everything happens that
 * can be made to happen on one machine. The choices are reproducible by their seed
 * ({@code -Didempotency.test.seed}), their timing is not.
 */
@Slow
class StoreChaosIT {

	private static final boolean FULL = Boolean.getBoolean("idempotency.test.full");

	private static final Duration TIME = Duration.ofSeconds(Long.getLong("idempotency.test.seconds", FULL ? 600 : 10));

	private static final int KEYS_PER_SECOND = FULL ? 80 : 40;

	private static final int CUSTOMERS = 64;

	private static final long SEED = Long.getLong("idempotency.test.seed", new Random().nextLong());

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final RedisServer redis = RedisServer.start();

	private final ScriptedBackend backend = ScriptedBackend.start();

	private final Charges charges = new Charges(SEED);

	private final AtomicInteger requests = new AtomicInteger();

	private final Map<String, String> ends = new ConcurrentHashMap<>();

	private final List<FaultProxy> paths = new ArrayList<>();

	private final List<RunningGateway> gateways = new ArrayList<>();

	@AfterEach
	void stop() throws Exception {
		this.gateways.forEach(RunningGateway::close);
		for (FaultProxy path : this.paths) {
			path.close();
		}
		this.backend.close();
		this.redis.close();
	}

	@Test
	void with_both_tiers_nothing_is_done_twice_and_no_answer_is_lost() throws Exception {
		try (PostgresServer postgres = PostgresServer.start()) {
			List<FaultProxy> toRedis = List.of(path(this.redis.port()), path(this.redis.port()));
			List<FaultProxy> toPostgres = List.of(path(postgres.port()), path(postgres.port()));
			for (int i = 0; i < 2; i++) {
				start("tiered", toRedis.get(i), "spring.r2dbc.url: r2dbc:postgresql://postgres@127.0.0.1:"
						+ toPostgres.get(i).port() + "/postgres");
			}
			try (Torment first = new Torment(SEED, redisFaults(toRedis, true));
					Torment second = new Torment(~SEED, Fault.all(Fault.of(postgres),
							Fault.of("postgres", toPostgres.get(0)), Fault.of("postgres", toPostgres.get(1))))) {
				serveCustomers();
				first.close();
				second.close();
				check("tiered", first, second);
			}
		}
	}

	@Test
	void with_a_redis_that_forgets_nothing_nothing_is_done_twice() throws Exception {
		List<FaultProxy> toRedis = List.of(path(this.redis.port()), path(this.redis.port()));
		for (FaultProxy path : toRedis) {
			start("redis", path, "");
		}
		try (Torment torment = new Torment(SEED, redisFaults(toRedis, false))) {
			serveCustomers();
			torment.close();
			check("redis", torment);
		}
	}

	private List<Fault> redisFaults(List<FaultProxy> paths, boolean forgetting) {
		List<Fault> harmless = Fault.all(List.of(Fault.freeze(this.redis)), Fault.of("redis", paths.get(0)),
				Fault.of("redis", paths.get(1)));
		return forgetting ? Fault.all(harmless, Fault.loss(this.redis)) : harmless;
	}

	private FaultProxy path(int port) {
		FaultProxy path = new FaultProxy(port);
		this.paths.add(path);
		return path;
	}

	private void start(String store, FaultProxy redis, String more) {
		this.backend.on("/charges", this.charges::reply);
		this.gateways.add(RunningGateway.start("""
				idempotency:
				  store: %s
				  policies.default: { anonymous: share, lease: 1500ms, timeout: 4s, deadline: 8s,
				    retry: { backoff: 5ms, max-backoff: 50ms }, circuit-breaker: { enabled: false } }
				spring.data.redis: { host: 127.0.0.1, port: %d }
				spring.cloud.gateway.server.webflux.routes:
				  - { id: charges, uri: "%s", predicates: [ "Path=/charges" ], filters: [ Idempotency ] }
				logging.level: { root: error, io.r2dbc.postgresql.client: "off", reactor.netty.http.client: "off",
				  reactor.core.publisher.Operators: "off", dev.idempotency: error, dev.idempotency.store: info }
				%s
				""".formatted(store, redis.port(), this.backend.uri(), more)));
		awaitServing();
	}

	private void awaitServing() {
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> this.gateways.stream()
				.allMatch((gateway) -> gateway.bean(IdempotencyStore.class).status().serving()));
	}

	/** New ones come at a steady pace, unless too many are still waiting. */
	private void serveCustomers() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(CUSTOMERS);
		Semaphore waiting = new Semaphore(CUSTOMERS);
		List<Future<?>> all = new ArrayList<>();
		long begun = System.nanoTime();
		for (int i = 0; System.nanoTime() - begun < TIME.toNanos(); i++) {
			String key = "k" + i;
			waiting.acquire();
			all.add(threads.submit(() -> {
				this.ends.put(key, customer(key).untilFinal(PATIENCE));
				waiting.release();
			}));
			LockSupport.parkNanos(Duration.ofSeconds(1).toNanos() / KEYS_PER_SECOND);
		}
		for (Future<?> one : all) {
			one.get(PATIENCE.multipliedBy(2).toSeconds(), TimeUnit.SECONDS);
		}
		threads.shutdown();
	}

	/** With all stores back each key is asked for again, at both gateways. */
	private void check(String store, Torment... torments) throws Exception {
		awaitServing();
		int sent = this.requests.get();
		Map<String, String> later = new ConcurrentHashMap<>();
		ExecutorService threads = Executors.newFixedThreadPool(CUSTOMERS / 2);
		for (String key : this.ends.keySet()) {
			threads.execute(() -> later.put(key,
					customer(key).settled(0, PATIENCE) + ", " + customer(key).settled(1, PATIENCE)));
		}
		threads.shutdown();
		assertThat(threads.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
		print(store, sent, later, torments);
		assertThat(this.charges.made().values()).allMatch((times) -> times == 1);
		assertThat(this.ends.values()).isSubsetOf("answered", "unknown", "unavailable");
		assertThat(later).hasSameSizeAs(this.ends)
			.allSatisfy((key, end) -> assertThat(end)
				.matches("(answered|unknown|unavailable), (answered|unknown|unavailable)"));
		this.ends
			.forEach((key, end) -> assertThat(end.equals("answered") ? later.get(key) : "answered, answered").as(key)
				.isEqualTo("answered, answered"));
	}

	private Customer customer(String key) {
		return new Customer(this.gateways, this.charges, this.requests, key, SEED);
	}

	private void print(String store, int sent, Map<String, String> later, Torment... torments) {
		Map<String, Integer> faults = new TreeMap<>();
		for (Torment torment : torments) {
			faults.putAll(torment.counts());
		}
		long twice = this.charges.made().values().stream().filter((times) -> times > 1).count();
		System.out
			.println("store chaos (" + store + "), seed " + SEED + ", " + TIME.toSeconds() + " s: " + this.ends.size()
					+ " keys, " + sent + " requests, faults " + faults + ", first ends " + counted(this.ends)
					+ ", later " + counted(later) + ", charged " + this.charges.made().size() + ", twice " + twice);
	}

	private static Map<String, Integer> counted(Map<String, String> ends) {
		Map<String, Integer> counts = new TreeMap<>();
		ends.values().forEach((end) -> counts.merge(end, 1, Integer::sum));
		return counts;
	}

}
