package dev.idempotency.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.idempotency.testing.Arrival;
import dev.idempotency.testing.GatewayProcess;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs on two gateways that are killed in turn, every five seconds, while jobs are
 * submitted and worked on: each one ends. Where the backend honours the key each is
 * carried out; where it does not, none is carried out twice, and whatever has no answer
 * is among the dead letters as unknown. With {@code idempotency.test.full} there are ten
 * thousand.
 */
abstract class JobsKillContract {

	private static final boolean FULL = Boolean.getBoolean("idempotency.test.full");

	private static final int JOBS = Integer.getInteger("idempotency.test.jobs", FULL ? 10_000 : 300);

	private static final Duration SUBMITTED_WITHIN = Duration.ofSeconds(FULL ? 200 : 20);

	private static final Duration BETWEEN_KILLS = Duration.ofSeconds(5);

	private static final int LEAST_KILLS = 4;

	private static final Duration PATIENCE = Duration.ofMinutes(10);

	private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

	/** Jobs end about in the order in which they came. */
	private static final int ENOUGH_UNFINISHED = 50;

	private static final int PAGE = 200;

	private static final Set<String> FINAL = Set.of("SUCCEEDED", "FAILED", "DEAD", "CANCELLED");

	private final JsonMapper json = JsonMapper.builder().build();

	private final ScriptedBackend backend = ScriptedBackend.start();

	private final ScheduledExecutorService clients = Executors.newScheduledThreadPool(8);

	private final Map<String, String> locations = new ConcurrentHashMap<>();

	private MortalGateways gateways;

	/** The lines that name the store. */
	abstract String store();

	@BeforeEach
	void start() {
		this.backend.always(Reply.json(201, "{}").after(Duration.ofMillis(FULL ? 100 : 600)));
		this.gateways = new MortalGateways(
				"""
						%s
						spring.cloud.gateway.server.webflux.routes:
						  - { id: once, uri: "%s", predicates: [ "Path=/once/**" ], filters: [ "Idempotency=once" ] }
						  - { id: again, uri: "%s", predicates: [ "Path=/again/**" ], filters: [ "Idempotency=again" ] }
						idempotency:
						  policies:
						    once: { anonymous: share, async: always, lease: 2s }
						    again: { anonymous: share, async: always, lease: 2s, backend-idempotent: true, retry.max-attempts: 20 }
						"""
					.formatted(store(), this.backend.uri(), this.backend.uri()));
	}

	@AfterEach
	void stop() throws InterruptedException {
		this.clients.shutdownNow();
		this.gateways.close();
		this.backend.close();
	}

	@Test
	void everyJobEndsAndNoneThatMustNotIsCarriedOutTwice() throws InterruptedException {
		long begun = System.nanoTime();
		List<String> paths = IntStream.range(0, JOBS)
			.mapToObj((i) -> ((i % 2 == 0) ? "/once/" : "/again/") + i)
			.toList();
		long pause = SUBMITTED_WITHIN.dividedBy(JOBS).toMillis();
		for (int i = 0; i < JOBS; i++) {
			String path = paths.get(i);
			this.clients.schedule(() -> submit(path, path.hashCode()), i * pause, TimeUnit.MILLISECONDS);
		}
		this.gateways.killEvery(BETWEEN_KILLS);
		Map<String, String> ended = new ConcurrentHashMap<>();
		Awaitility.await()
			.atMost(PATIENCE)
			.pollInterval(Duration.ofSeconds(1))
			.failFast("a gateway does not start any more", this.gateways::requireKilling)
			.until(() -> collect(paths, ended) && this.gateways.kills() >= LEAST_KILLS);
		int kills = this.gateways.kills();
		long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
		this.gateways.spare();
		Set<String> dead = awaitLetters(ended);
		Map<String, List<Arrival>> executions = this.backend.arrivals()
			.stream()
			.filter(Arrival::whole)
			.collect(Collectors.groupingBy(Arrival::path));
		List<String> wrong = new ArrayList<>();
		paths.forEach((path) -> check(path, ended.get(path), executions.getOrDefault(path, List.of()), dead, wrong));
		long repeated = executions.values().stream().filter((times) -> times.size() > 1).count();
		System.out.println(getClass().getSimpleName() + ": " + JOBS + " jobs, " + kills + " kills in " + seconds
				+ " s: " + dead.size() + " dead letters (unknown), " + repeated
				+ " sent more than once to a backend that honours keys, " + wrong.size() + " wrong");
		assertThat(wrong).isEmpty();
	}

	private void check(String path, String status, List<Arrival> executions, Set<String> dead, List<String> wrong) {
		boolean unknown = status.equals("DEAD") && dead.contains(job(path));
		boolean once = executions.size() == 1 || (executions.isEmpty() && unknown);
		// A backend that honours the key carries out the first of them.
		boolean honoured = !executions.isEmpty()
				&& executions.stream().allMatch((arrival) -> path.equals(arrival.key()));
		boolean right = path.startsWith("/once/") ? once && (unknown || status.equals("SUCCEEDED"))
				: honoured && status.equals("SUCCEEDED");
		if (!right) {
			wrong.add(path + " is " + status + ", carried out " + executions.size() + " times, "
					+ (dead.contains(job(path)) ? "among" : "not among") + " the dead letters");
		}
	}

	/** As a client does: the same request with the same key until it is taken. */
	private void submit(String path, int gateway) {
		RawRequest request = RawRequest.post(path, "{\"amount\":1299,\"note\":\"" + "x".repeat(170) + "\"}").key(path);
		try {
			RawResponse answer = this.gateways.get(gateway).send(request);
			if (answer.status() == 202 && answer.clean()) {
				this.locations.put(path, String.valueOf(answer.header("Location")));
				return;
			}
		}
		catch (RuntimeException ex) {
			// The one that was asked is dead; the next try asks the other.
		}
		this.clients.schedule(() -> submit(path, gateway + 1), BETWEEN_TRIES.toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Whether all have ended. */
	private boolean collect(List<String> paths, Map<String, String> ended) {
		int unfinished = 0;
		for (String path : paths) {
			if (!ended.containsKey(path)) {
				String location = this.locations.get(path);
				String status = (location != null) ? status(location) : "";
				if (FINAL.contains(status)) {
					ended.put(path, status);
				}
				else if (++unfinished >= ENOUGH_UNFINISHED) {
					return false;
				}
			}
		}
		return unfinished == 0;
	}

	private String status(String location) {
		for (int gateway = 0; gateway < 2; gateway++) {
			try {
				RawResponse page = this.gateways.get(gateway).send(RawRequest.of("GET", location));
				if (page.status() == 200 && page.clean()) {
					return this.json.readTree(page.body()).path("status").stringValue();
				}
				assertThat(page.status()).as("a job is lost: " + page).isNotEqualTo(404);
			}
			catch (RuntimeException ex) {
				// Dead just now: perhaps the other one knows.
			}
		}
		return "";
	}

	/** The letter is written after the record, perhaps by the next gateway. */
	private Set<String> awaitLetters(Map<String, String> ended) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
			Set<String> unknown = unknownLetters();
			// An owner that was only slow, and comes back, has its answer count.
			ended.replaceAll((path, status) -> status.equals("DEAD") ? status(this.locations.get(path)) : status);
			assertThat(unknown).containsAll(
					ended.keySet().stream().filter((path) -> ended.get(path).equals("DEAD")).map(this::job).toList());
		});
		return unknownLetters();
	}

	private Set<String> unknownLetters() {
		Set<String> jobs = ConcurrentHashMap.newKeySet();
		GatewayProcess gateway = this.gateways.get(0);
		for (int page = 0; page == 0 || jobs.size() >= page * PAGE; page++) {
			RawResponse answer = gateway
				.manage(RawRequest.of("GET", "/actuator/idempotencydeadletters?size=" + PAGE + "&page=" + page));
			assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
			for (JsonNode letter : this.json.readTree(answer.body()).path("letters")) {
				assertThat(letter.path("reason").stringValue()).isEqualTo("outcome-unknown");
				jobs.add(letter.path("job_id").stringValue());
			}
		}
		return jobs;
	}

	private String job(String path) {
		return this.locations.get(path).replaceFirst("^.*/", "");
	}

}
