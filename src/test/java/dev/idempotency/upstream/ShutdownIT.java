package dev.idempotency.upstream;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.idempotency.core.Operations;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What still runs when the gateway is told to stop. */
class ShutdownIT {

	@Test
	void lateAnswersAreWaitedFor() throws Exception {
		CountDownLatch gate = new CountDownLatch(1);
		try (ScriptedBackend backend = ScriptedBackend.start(); RunningGateway gateway = start(backend)) {
			backend.always(Reply.of(201).after(gate));
			assertThat(gateway.send(RawRequest.post("/late/x", "{}").key("k")).text()).contains("upstream-timeout");
			Operations operations = gateway.bean(Operations.class);
			CompletableFuture<Void> stopped = CompletableFuture.runAsync(gateway::close);
			await().until(operations::isStopped);
			assertThat(stopped).isNotDone();
			assertThat(operations.count()).isEqualTo(1);
			gate.countDown();
			stopped.get(20, TimeUnit.SECONDS);
			assertThat(operations.count()).isZero();
		}
	}

	@Test
	void whatPausesBetweenTwoAttemptsIsAnsweredAndFreed() throws Exception {
		try (ScriptedBackend backend = ScriptedBackend.start(); RunningGateway gateway = start(backend)) {
			backend.always(Reply.of(503).header("Retry-After", "20"));
			CompletableFuture<RawResponse> answer = CompletableFuture
				.supplyAsync(() -> gateway.send(RawRequest.post("/pausing/x", "{}").key("k")));
			backend.awaitExecutions("/pausing/x", 1);
			Operations operations = gateway.bean(Operations.class);
			CompletableFuture<Void> stopped = CompletableFuture.runAsync(gateway::close);
			assertThat(answer.get(10, TimeUnit.SECONDS).status()).isEqualTo(503);
			stopped.get(20, TimeUnit.SECONDS);
			assertThat(operations.count()).isZero();
			assertThat(backend.executions()).isEqualTo(1);
		}
	}

	private static RunningGateway start(ScriptedBackend backend) {
		return RunningGateway.start(new Routes()
			.route("late", backend.uri(), "timeout: 200ms, late-answer: 30s, retry: { max-attempts: 1 }")
			.route("pausing", backend.uri(), "deadline: 30s")
			.with("server.shutdown: graceful")
			.yaml());
	}

}
