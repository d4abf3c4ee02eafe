package dev.idempotency.core;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.IdempotencyPolicy.CircuitBreakerRules;
import dev.idempotency.core.IdempotencyPolicy.FingerprintRules;
import dev.idempotency.core.IdempotencyPolicy.KeyFormat;
import dev.idempotency.core.IdempotencyPolicy.KeyRules;
import dev.idempotency.core.IdempotencyPolicy.KeySyntax;
import dev.idempotency.core.IdempotencyPolicy.Limits;
import dev.idempotency.core.IdempotencyPolicy.Mode;
import dev.idempotency.core.IdempotencyPolicy.NoStore;
import dev.idempotency.core.IdempotencyPolicy.OutcomeRules;
import dev.idempotency.core.IdempotencyPolicy.Preset;
import dev.idempotency.core.IdempotencyPolicy.Reconcile;
import dev.idempotency.core.IdempotencyPolicy.Retention;
import dev.idempotency.core.IdempotencyPolicy.RetryRules;
import dev.idempotency.core.IdempotencyPolicy.Scope;
import dev.idempotency.core.IdempotencyPolicy.StoreFailure;
import dev.idempotency.core.IdempotencyPolicy.UnknownHandling;
import dev.idempotency.core.IdempotencyPolicy.Waiting;

/** Policies for tests of the engine: the defaults, but for what a test is about. */
public final class PolicySample {

	static final Duration TTL = Duration.ofMinutes(5);

	static final Duration UNKNOWN_TTL = Duration.ofMinutes(10);

	static final Duration LEASE = Duration.ofSeconds(15);

	static final Retention RETENTION = new Retention(TTL, UNKNOWN_TTL, LEASE);

	private PolicySample() {
	}

	public static IdempotencyPolicy hold() {
		return of(UnknownHandling.HOLD, StoreFailure.REJECT);
	}

	static IdempotencyPolicy of(UnknownHandling unknown, StoreFailure storeFailure) {
		return new IdempotencyPolicy("default", Preset.STANDARD, Mode.ENFORCE,
				new KeyRules("Idempotency-Key", List.of(), Set.of("POST"), true, KeyFormat.ANY, 255, KeySyntax.LENIENT),
				new Scope(List.of(), true, "default"), new FingerprintRules(false, List.of(), List.of()), RETENTION,
				new Waiting(Duration.ZERO, Duration.ofSeconds(30)),
				new Limits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), 200, 1 << 20,
						1 << 20, 1000),
				new OutcomeRules(Set.of(503), Set.of(500), unknown, false, Set.of(409), reconcile(unknown)),
				new RetryRules(3, Set.of(503), Duration.ofMillis(100), 2, Duration.ofSeconds(2), 0.5, 0.2),
				new CircuitBreakerRules(false, 100, 50, 0.5, Duration.ofSeconds(10), 5), NoStore.KEEP, storeFailure,
				IdempotencyPolicy.JobRules.OFF);
	}

	private static @Nullable Reconcile reconcile(UnknownHandling unknown) {
		return (unknown != UnknownHandling.RECONCILE) ? null : new Reconcile("http://localhost/{key}", Set.of(200),
				Set.of(404), Duration.ofSeconds(60), Duration.ofSeconds(5), Map.of());
	}

}
