package dev.idempotency.upstream;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyPolicy.CircuitBreakerRules;
import dev.idempotency.core.IdempotencyPolicy.FingerprintRules;
import dev.idempotency.core.IdempotencyPolicy.KeyFormat;
import dev.idempotency.core.IdempotencyPolicy.KeyRules;
import dev.idempotency.core.IdempotencyPolicy.KeySyntax;
import dev.idempotency.core.IdempotencyPolicy.Limits;
import dev.idempotency.core.IdempotencyPolicy.OutcomeRules;
import dev.idempotency.core.IdempotencyPolicy.RetryRules;
import dev.idempotency.core.IdempotencyPolicy.Retention;
import dev.idempotency.core.IdempotencyPolicy.Scope;
import dev.idempotency.core.IdempotencyPolicy.UnknownHandling;
import dev.idempotency.core.IdempotencyPolicy.Waiting;

/** Policies with the default values, but for what a test is about. */
final class TestPolicy {

	static final RetryRules RETRY = new RetryRules(3, Set.of(503), Duration.ofMillis(100), 2, Duration.ofSeconds(2),
			0.5, 0.2);

	private static final Set<Integer> RELEASE = Set.of(401, 403, 407, 408, 421, 425, 429, 503);

	private static final Set<Integer> UNKNOWN = Set.of(500, 501, 502, 504, 505, 506, 507, 508, 510, 511, 599);

	private TestPolicy() {
	}

	static OutcomeRules outcomes(boolean backendIdempotent) {
		return new OutcomeRules(RELEASE, UNKNOWN, UnknownHandling.HOLD, backendIdempotent, Set.of(409, 425), null);
	}

	static IdempotencyPolicy with(RetryRules retry, OutcomeRules outcomes) {
		Duration day = Duration.ofDays(1);
		return new IdempotencyPolicy("default", IdempotencyPolicy.Preset.STANDARD, IdempotencyPolicy.Mode.ENFORCE,
				new KeyRules("Idempotency-Key", List.of(), Set.of("POST"), true, KeyFormat.ANY, 255, KeySyntax.LENIENT),
				new Scope(List.of(), true, "default"), new FingerprintRules(false, List.of(), List.of()),
				new Retention(day, day, Duration.ofSeconds(15)), new Waiting(Duration.ZERO, Duration.ofSeconds(30)),
				new Limits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), 200, 1 << 20,
						1 << 20, 1000),
				outcomes, retry, new CircuitBreakerRules(true, 100, 50, 0.5, Duration.ofSeconds(10), 5),
				IdempotencyPolicy.NoStore.KEEP, IdempotencyPolicy.StoreFailure.REJECT, IdempotencyPolicy.JobRules.OFF);
	}

}
