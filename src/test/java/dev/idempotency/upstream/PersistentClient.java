package dev.idempotency.upstream;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;

import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RunningGateway;

/** Sends one request again and again until there is nothing more to learn. */
final class PersistentClient {

	private static final int MOST = 500;

	private static final Set<Integer> NOT_YET = Set.of(409, 500, 502, 503, 504);

	private final RunningGateway gateway;

	private final String key;

	private final RawRequest request;

	private final Random random;

	PersistentClient(RunningGateway gateway, String path, String key, long seed) {
		this.gateway = gateway;
		this.key = key;
		this.request = RawRequest.post(path, "{\"amount\":1299}").key(key);
		this.random = new Random(seed + key.hashCode());
	}

	/** One try. */
	String once() {
		return this.gateway.send(this.request).text();
	}

	/** How it ended, in a word. A 2xx has to be what was really done. */
	String untilFinal(BiPredicate<String, String> wasDone) {
		for (int i = 0; i < MOST; i++) {
			if (this.random.nextInt(10) == 0) {
				hangUp();
			}
			RawResponse answer = this.gateway.send(this.request);
			if (answer.status() == 201) {
				return (answer.clean() && wasDone.test(this.key, answer.text())) ? "answered" : "a lie: " + answer;
			}
			if (answer.text().contains("\"code\":\"outcome-unknown\"") && answer.text().contains("\"retryable\":false")
					|| "unknown".equals(answer.header("Idempotency-Outcome"))) {
				return "outcome unknown";
			}
			if (!NOT_YET.contains(answer.status())) {
				return "an answer from nowhere: " + answer;
			}
			LockSupport.parkNanos(Duration.ofMillis(10 + this.random.nextInt(20)).toNanos());
		}
		return "never";
	}

	private void hangUp() {
		try (RawHttpClient client = this.gateway.connect()) {
			client.send(this.request).reset();
		}
	}

}
