package dev.idempotency.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.netty.util.internal.PlatformDependent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Hooks;

import dev.idempotency.core.Operations;
import dev.idempotency.store.memory.MemoryIdempotencyStore;
import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Clients that go away, at every moment there is. */
@ExtendWith(NettyLeaks.class)
@Slow
class HangUpsIT {

	private static final int ROUNDS = Integer.getInteger("idempotency.test.rounds",
			Boolean.getBoolean("idempotency.test.full") ? 20_000 : 84);

	private static final int CLIENTS = 14;

	private static final int SIZE = 700_000;

	private static final Reply LARGE = Reply.of(201).body(new byte[SIZE]);

	private static final Reply TOO_LARGE = Reply.of(201).body(new byte[1_500_000]);

	private static final int WARM_UP = 420;

	/** Less than 1 KiB for each of the full number of rounds. */
	private static final long MEMORY_TO_SPARE = 16 << 20;

	private final ScriptedBackend backend = ScriptedBackend.start();

	private final List<Throwable> dropped = new CopyOnWriteArrayList<>();

	private RunningGateway gateway;

	@BeforeEach
	void start() {
		Hooks.onErrorDropped(this.dropped::add);
		this.gateway = RunningGateway.start(new Routes()
			.route("h", this.backend.uri(),
					"ttl: 10s, timeout: 20s, circuit-breaker: { enabled: false }, "
							+ "retry: { max-attempts: 2, backoff: 20ms, max-backoff: 20ms, budget: 1.0 }")
			.with("logging.level.dev.idempotency.operations: error")
			.yaml());
	}

	@AfterEach
	void stop() {
		Hooks.resetOnErrorDropped();
		this.gateway.close();
		this.backend.close();
	}

	@Test
	void leaveOneExecutionAndARightRecordAndNoMemory() throws Exception {
		hangUp(0, WARM_UP);
		Memory before = Memory.atRest(this.gateway, "after " + WARM_UP + " hang-ups to warm up");

		hangUp(WARM_UP, WARM_UP + ROUNDS);
		Memory after = Memory.atRest(this.gateway, "after " + ROUNDS + " more");

		assertThat(after.heap() - before.heap()).as("octets of heap").isLessThan(MEMORY_TO_SPARE);
		assertThat(after.direct() - before.direct()).as("octets of direct memory").isLessThan(MEMORY_TO_SPARE);
		assertThat(this.dropped).as("errors that would be logged").isEmpty();
	}

	private void hangUp(int from, int to) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
		List<Future<?>> clients = new ArrayList<>();
		for (int i = from; i < to; i++) {
			Moment moment = Moment.values()[i % Moment.values().length];
			String path = "/h/" + moment + "/" + i;
			clients.add(threads.submit(() -> {
				try {
					moment.hangUp(this, path);
				}
				catch (RuntimeException ex) {
					throw new AssertionError(path, ex);
				}
				this.backend.forget(path);
			}));
		}
		for (Future<?> client : clients) {
			client.get(30, TimeUnit.MINUTES);
		}
		threads.shutdown();
	}

	/**
	 * What is in use while nothing runs and all records have expired.
	 *
	 * @param heap octets
	 * @param direct octets of Netty's, its empty arenas included
	 */
	private record Memory(long heap, long direct) {

		static Memory atRest(RunningGateway gateway, String when) {
			new RouteState(gateway, "h").awaitRest();
			await().until(() -> gateway.bean(Operations.class).count() == 0);
			await().atMost(Duration.ofSeconds(60))
				.until(() -> gateway.bean(MemoryIdempotencyStore.class).usage().records() == 0);
			System.gc();
			Runtime runtime = Runtime.getRuntime();
			Memory memory = new Memory(runtime.totalMemory() - runtime.freeMemory(),
					PlatformDependent.usedDirectMemory());
			System.out.printf("%s: heap %d KiB, direct %d KiB%n", when, memory.heap >> 10, memory.direct >> 10);
			return memory;
		}

	}

	/** When the client goes. */
	private enum Moment {

		/** Nothing is claimed yet. */
		WHILE_THE_REQUEST_IS_SENT {
			@Override
			void hangUp(HangUpsIT test, String path) {
				test.script(path, Reply.json(201, path));
				byte[] octets = test.request(path).bytes();
				try (RawHttpClient client = test.gateway.connect()) {
					client.send(Arrays.copyOf(octets, octets.length - 3)).reset();
				}
				test.expectAnswer(path, 1, false);
			}
		},
		/** The claim's answer, or even the claim, is still to come. */
		RIGHT_AFTER_THE_REQUEST {
			@Override
			void hangUp(HangUpsIT test, String path) {
				test.script(path, Reply.json(201, path));
				test.sendAndGo(path);
				test.expectAnswer(path, 1, false);
			}
		},
		WHILE_THE_BACKEND_WORKS {
			@Override
			void hangUp(HangUpsIT test, String path) {
				CountDownLatch gate = new CountDownLatch(1);
				test.script(path, Reply.json(201, path).after(gate));
				test.sendAndGoOnceArrived(path);
				gate.countDown();
				test.expectAnswer(path, 1, true);
			}
		},
		BETWEEN_TWO_ATTEMPTS {
			@Override
			void hangUp(HangUpsIT test, String path) {
				test.script(path, Reply.of(503), Reply.json(201, path));
				test.sendAndGoOnceArrived(path);
				test.expectAnswer(path, 2, true);
			}
		},
		WHILE_THE_ANSWER_IS_READ {
			@Override
			void hangUp(HangUpsIT test, String path) {
				CountDownLatch gate = new CountDownLatch(1);
				test.script(path, Reply.json(201, path).chunked().pieces(3).bodyAfter(gate));
				test.sendAndGoOnceArrived(path);
				gate.countDown();
				test.expectAnswer(path, 1, true);
			}
		},
		WHILE_THE_ANSWER_IS_WRITTEN {
			@Override
			void hangUp(HangUpsIT test, String path) {
				test.script(path, LARGE);
				test.readABitAndGo(path);
				test.expect(path, 1, (answer) -> answer.status() == 201 && answer.body().length == SIZE
						&& "true".equals(answer.header("Idempotent-Replayed")));
			}
		},
		WHILE_THE_ANSWER_STREAMS {
			@Override
			void hangUp(HangUpsIT test, String path) {
				test.script(path, TOO_LARGE);
				test.readABitAndGo(path);
				test.expect(path, 1, (answer) -> answer.text().contains("replay-unavailable"));
			}
		};

		abstract void hangUp(HangUpsIT test, String path);

	}

	private void script(String path, Reply... replies) {
		this.backend.on(path, replies);
	}

	private RawRequest request(String path) {
		return RawRequest.post(path, "{\"amount\":1299}").key(path.replace('/', '-'));
	}

	private void sendAndGo(String path) {
		try (RawHttpClient client = this.gateway.connect()) {
			client.send(request(path)).reset();
		}
	}

	private void sendAndGoOnceArrived(String path) {
		try (RawHttpClient client = this.gateway.connect()) {
			client.send(request(path));
			this.backend.awaitExecutions(path, 1);
			client.reset();
		}
	}

	private void readABitAndGo(String path) {
		try (RawHttpClient client = this.gateway.connect()) {
			client.send(request(path)).readOctets(1);
			client.reset();
		}
	}

	private void expectAnswer(String path, int executions, boolean replayed) {
		expect(path, executions, (answer) -> answer.status() == 201 && answer.text().equals(path)
				&& (!replayed || "true".equals(answer.header("Idempotent-Replayed"))));
	}

	/** What a retry gets once nothing runs any more. */
	private void expect(String path, int executions, java.util.function.Predicate<RawResponse> right) {
		RawResponse answer = await().pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(20))
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.gateway.send(request(path)), (seen) -> !seen.text().contains("in-progress"));
		assertThat(answer).as(path).matches(right);
		assertThat(this.backend.executions(path)).as(path).isEqualTo(executions);
	}

}
