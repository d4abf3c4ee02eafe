package dev.idempotency.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Clients that go away, at every moment there is. */
@ExtendWith(NettyLeaks.class)
class HangUpsIT {

	private static final int ROUNDS = Integer.getInteger("idempotency.test.rounds",
			Boolean.getBoolean("idempotency.test.full") ? 20_000 : 84);

	private static final int CLIENTS = 14;

	private static final int SIZE = 700_000;

	private static final Reply LARGE = Reply.of(201).body(new byte[SIZE]);

	private static final Reply TOO_LARGE = Reply.of(201).body(new byte[1_500_000]);

	/** Netty's arenas, which it keeps; there is at least one for each processor. */
	private static final long DIRECT_MEMORY_TO_SPARE = (64L + 16L * Runtime.getRuntime().availableProcessors()) << 20;

	private final ScriptedBackend backend = ScriptedBackend.start();

	private RunningGateway gateway;

	@BeforeEach
	void start() {
		this.gateway = RunningGateway.start(new Routes()
			.route("h", this.backend.uri(),
					"ttl: 10s, timeout: 20s, circuit-breaker: { enabled: false }, "
							+ "retry: { max-attempts: 2, backoff: 20ms, max-backoff: 20ms, budget: 1.0 }")
			.with("logging.level.dev.idempotency.operations: error")
			.yaml());
	}

	@AfterEach
	void stop() {
		this.gateway.close();
		this.backend.close();
	}

	@Test
	void leaveOneExecutionAndARightRecord() throws Exception {
		print("before");
		long direct = PlatformDependent.usedDirectMemory();
		ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
		List<Future<?>> clients = new ArrayList<>();
		for (int i = 0; i < ROUNDS; i++) {
			Moment moment = Moment.values()[i % Moment.values().length];
			String path = "/h/" + moment + "/" + i;
			clients.add(threads.submit(() -> {
				try {
					moment.hangUp(this, path);
				}
				catch (RuntimeException ex) {
					throw new AssertionError(path, ex);
				}
			}));
		}
		for (Future<?> client : clients) {
			client.get(30, TimeUnit.MINUTES);
		}
		threads.shutdown();
		new RouteState(this.gateway, "h").awaitRest();
		await().until(() -> this.gateway.bean(dev.idempotency.core.Operations.class).count() == 0);
		print("after " + ROUNDS + " hang-ups");
		assertThat(PlatformDependent.usedDirectMemory() - direct).isLessThan(DIRECT_MEMORY_TO_SPARE);
	}

	private static void print(String when) {
		System.gc();
		Runtime runtime = Runtime.getRuntime();
		System.out.printf("%s: heap %d KiB, direct %d KiB%n", when,
				(runtime.totalMemory() - runtime.freeMemory()) >> 10, PlatformDependent.usedDirectMemory() >> 10);
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
