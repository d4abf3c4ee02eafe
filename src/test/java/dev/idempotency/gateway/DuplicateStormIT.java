package dev.idempotency.gateway;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;

import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.RunningGateway;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many clients send each of their requests several times within moments, to two gateways
 * that have only a Redis in common.
 */
class DuplicateStormIT {

	private static final boolean FULL = Boolean.getBoolean("idempotency.test.full");

	private static final int KEYS = FULL ? 5_000 : 500;

	private static final int COPIES = 8;

	private static final Duration SPREAD = Duration.ofMillis(10);

	/**
	 * How many keys are under way at once; all of them would only wait for the client.
	 */
	private static final int AT_ONCE = 25;

	private static final Map<String, AtomicInteger> executions = new ConcurrentHashMap<>();

	private static RedisServer redis;

	private static DisposableServer backend;

	private static List<RunningGateway> gateways;

	@BeforeAll
	static void start() {
		redis = RedisServer.start();
		backend = HttpServer.create().host("127.0.0.1").port(0).handle((request, response) -> {
			String key = Objects.requireNonNull(request.requestHeaders().get("Idempotency-Key"));
			int number = executions.computeIfAbsent(key, (name) -> new AtomicInteger()).incrementAndGet();
			return response.status(201).sendString(Mono.just(key + " number " + number));
		}).bindNow();
		gateways = List.of(gateway(), gateway());
	}

	@AfterAll
	static void stop() {
		gateways.forEach(RunningGateway::close);
		backend.disposeNow();
		redis.close();
	}

	@Test
	void eachKeyIsExecutedOnceAndAllItsClientsHearTheSame() {
		ConnectionProvider connections = ConnectionProvider.create("storm", AT_ONCE * COPIES);
		HttpClient client = HttpClient.create(connections);
		long begun = System.nanoTime();
		Map<String, List<Heard>> heard = Flux.range(0, KEYS)
			.flatMap((number) -> storm(client, "key-" + number), AT_ONCE)
			.collectMultimap(Heard::key)
			.map(DuplicateStormIT::lists)
			.block(Duration.ofMinutes(5));
		Duration storm = Duration.ofNanos(System.nanoTime() - begun);
		begun = System.nanoTime();
		Map<String, List<Heard>> afterwards = Flux.range(0, KEYS)
			.flatMap((number) -> send(client, "key-" + number, number), AT_ONCE)
			.collectMultimap(Heard::key)
			.map(DuplicateStormIT::lists)
			.block(Duration.ofMinutes(5));
		Duration replays = Duration.ofNanos(System.nanoTime() - begun);
		connections.dispose();
		report(heard, storm, replays);
		assertThat(executions).hasSize(KEYS);
		assertThat(executions.values()).allMatch((count) -> count.get() == 1);
		heard.forEach((key, answers) -> {
			assertThat(answers).hasSize(COPIES).allMatch((answer) -> answer.status() == 201 || answer.status() == 409);
			assertThat(answers).filteredOn((answer) -> answer.status() == 201)
				.isNotEmpty()
				.allMatch((answer) -> answer.text().equals(key + " number 1"));
			assertThat(answers).filteredOn((answer) -> answer.status() == 201 && !answer.replayed()).hasSize(1);
			assertThat(answers).filteredOn((answer) -> answer.status() == 409)
				.allMatch((answer) -> answer.text().contains("\"code\":\"in-progress\""));
		});
		assertThat(afterwards.values()).allSatisfy((answers) -> assertThat(answers)
			.allMatch((answer) -> answer.replayed() && answer.text().equals(answer.key() + " number 1")));
	}

	private static Flux<Heard> storm(HttpClient client, String key) {
		return Flux.range(0, COPIES)
			.flatMap((copy) -> Mono.delay(Duration.ofNanos(ThreadLocalRandom.current().nextLong(SPREAD.toNanos())))
				.then(Mono.defer(() -> send(client, key, copy))));
	}

	/** Both gateways serve one host, as behind a load balancer. */
	private static Mono<Heard> send(HttpClient client, String key, int copy) {
		return client.headers((headers) -> headers.set("Host", "pay.example").set("Idempotency-Key", key))
			.post()
			.uri("http://127.0.0.1:" + gateways.get(copy % gateways.size()).port() + "/pay")
			.send(ByteBufFlux.fromString(Mono.just("{\"amount\":1299}")))
			.responseSingle((head, body) -> body.asString()
				.map((text) -> new Heard(key, head.status().code(),
						"true".equals(head.responseHeaders().get("Idempotent-Replayed")), text)));
	}

	private static Map<String, List<Heard>> lists(Map<String, ? extends Collection<Heard>> heard) {
		Map<String, List<Heard>> lists = new TreeMap<>();
		heard.forEach((key, answers) -> lists.put(key, List.copyOf(answers)));
		return lists;
	}

	private static void report(Map<String, List<Heard>> heard, Duration storm, Duration replays) {
		List<Heard> all = heard.values().stream().flatMap(List::stream).toList();
		System.out.printf(
				"Duplicate storm: %d keys x %d copies in %d ms: %d executions, %d fresh, %d replays, %d 409; "
						+ "%d retries afterwards in %d ms%n",
				KEYS, COPIES, storm.toMillis(), executions.values().stream().mapToInt(AtomicInteger::get).sum(),
				all.stream().filter((answer) -> answer.status() == 201 && !answer.replayed()).count(),
				all.stream().filter(Heard::replayed).count(),
				all.stream().filter((answer) -> answer.status() == 409).count(), KEYS, replays.toMillis());
	}

	private static RunningGateway gateway() {
		return RunningGateway.start("""
				spring.data.redis.port: %s
				spring.cloud.gateway.server.webflux.routes:
				  - id: pay
				    uri: http://127.0.0.1:%s
				    predicates: [ "Path=/**" ]
				    filters: [ "Idempotency" ]
				idempotency:
				  store: redis
				  redis.timeout: 5s
				  policies.default: { anonymous: share, circuit-breaker.enabled: false, timeout: 60s, deadline: 90s }
				""".formatted(redis.port(), backend.port()));
	}

	/** What a client heard. */
	private record Heard(String key, int status, boolean replayed, String text) {
	}

}
