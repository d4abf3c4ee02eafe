package dev.idempotency.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.idempotency.autoconfigure.IdempotencyProperties.Store;
import dev.idempotency.autoconfigure.PolicyProperties.Anonymous;
import dev.idempotency.autoconfigure.PolicyProperties.BodyComparison;
import dev.idempotency.autoconfigure.PolicyProperties.Breaker;
import dev.idempotency.autoconfigure.PolicyProperties.InFlight;
import dev.idempotency.autoconfigure.PolicyProperties.KeyPresence;
import dev.idempotency.autoconfigure.PolicyProperties.Resending;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyPolicy.Async;
import dev.idempotency.core.IdempotencyPolicy.CallerSource;
import dev.idempotency.core.IdempotencyPolicy.CircuitBreakerRules;
import dev.idempotency.core.IdempotencyPolicy.FingerprintRules;
import dev.idempotency.core.IdempotencyPolicy.JobRules;
import dev.idempotency.core.IdempotencyPolicy.KeyRules;
import dev.idempotency.core.IdempotencyPolicy.Limits;
import dev.idempotency.core.IdempotencyPolicy.OutcomeRules;
import dev.idempotency.core.IdempotencyPolicy.Preset;
import dev.idempotency.core.IdempotencyPolicy.Reconcile;
import dev.idempotency.core.IdempotencyPolicy.Retention;
import dev.idempotency.core.IdempotencyPolicy.RetryRules;
import dev.idempotency.core.IdempotencyPolicy.Scope;
import dev.idempotency.core.IdempotencyPolicy.UnknownHandling;
import dev.idempotency.core.IdempotencyPolicy.Waiting;

import org.springframework.util.unit.DataSize;

/**
 * Makes the policy out of its fields: validates each, derives the defaults that depend on
 * others, and refuses fields that contradict each other. One method for each part of the
 * policy.
 */
final class PolicyAssembly {

	private static final Duration INSTANT = Duration.ofMillis(1);

	/** Below this a pause of the garbage collector would already look like a crash. */
	private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

	private static final Duration SHORTEST_UNKNOWN_TTL = Duration.ofHours(24);

	/** Header lines beyond this are refused by common servers before they come here. */
	private static final int LONGEST_KEY = 8192;

	/** A body is held as one array. */
	private static final DataSize LARGEST_BODY = DataSize.ofGigabytes(1);

	private static final int MANY = 1_000_000;

	private static final Checks CHECKS = Checks.ofFields();

	private final String name;

	private final PolicyLayers layers;

	private final PolicyProperties fields;

	private final Store store;

	PolicyAssembly(String name, PolicyLayers layers, Store store) {
		this.name = name;
		this.layers = layers;
		this.fields = layers.bind();
		this.store = store;
	}

	IdempotencyPolicy assemble() {
		checkPreset();
		return new IdempotencyPolicy(this.name, this.fields.preset(), this.fields.mode(), key(), scope(), fingerprint(),
				retention(), waiting(), limits(), outcomes(), retry(), circuitBreaker(), this.fields.noStore(),
				this.fields.storeFailure(), jobs());
	}

	private void checkPreset() {
		if (this.fields.preset() != Preset.STRICT) {
			return;
		}
		if (!this.layers.names("caller")) {
			throw CHECKS.refuse("caller",
					"has to be set explicitly under preset strict; accepted: a list of " + CallerSources.ACCEPTED);
		}
		if (!this.store.isDurable() && !this.fields.allowVolatileStore()) {
			throw CHECKS.refuse("preset", "is strict, which needs a durable store, and idempotency.store is "
					+ Printed.of(this.store) + ", which can lose records; accept that with allow-volatile-store: true");
		}
	}

	private KeyRules key() {
		CHECKS.headerName("header", this.fields.header());
		CHECKS.headerNames("aliases", this.fields.aliases());
		CHECKS.range("key-max-length", this.fields.keyMaxLength(), 1, LONGEST_KEY);
		List<String> aliases = this.fields.aliases()
			.stream()
			.filter((alias) -> !alias.equalsIgnoreCase(this.fields.header()))
			.toList();
		return new KeyRules(this.fields.header(), aliases, Methods.parse(this.fields.methods()),
				this.fields.key() == KeyPresence.REQUIRED, this.fields.keyFormat(), this.fields.keyMaxLength(),
				this.fields.keySyntax());
	}

	private Scope scope() {
		List<CallerSource> callers = CallerSources.parse(this.fields.caller());
		boolean shares = this.fields.anonymous() == Anonymous.SHARE;
		if (callers.isEmpty() && !shares) {
			throw CHECKS.refuse("caller", "is empty, so that nobody could be identified; accepted: a list of "
					+ CallerSources.ACCEPTED + ", or anonymous: share");
		}
		if (this.fields.namespace().isBlank()) {
			throw CHECKS.refuse("namespace", "is empty; accepted: any text, for instance default");
		}
		return new Scope(callers, shares, this.fields.namespace());
	}

	private FingerprintRules fingerprint() {
		CHECKS.headerNames("fingerprint-headers", this.fields.fingerprintHeaders());
		for (String pointer : this.fields.fingerprintExclude()) {
			if (!pointer.startsWith("/")) {
				throw CHECKS.refuse("fingerprint-exclude", pointer, "JSON pointers such as /meta/sent-at");
			}
		}
		return new FingerprintRules(this.fields.fingerprint() == BodyComparison.JSON,
				List.copyOf(this.fields.fingerprintHeaders()), List.copyOf(this.fields.fingerprintExclude()));
	}

	private Retention retention() {
		Duration ttl = this.fields.ttl();
		Duration unknownTtl = this.fields.unknownTtl();
		CHECKS.duration("ttl", ttl, INSTANT);
		CHECKS.duration("lease", this.fields.lease(), SHORTEST_LEASE);
		if (unknownTtl == null) {
			return new Retention(ttl, longer(ttl, SHORTEST_UNKNOWN_TTL), this.fields.lease());
		}
		CHECKS.duration("unknown-ttl", unknownTtl, INSTANT);
		return new Retention(ttl, unknownTtl, this.fields.lease());
	}

	private Waiting waiting() {
		Duration wait = this.fields.longestWait();
		Duration max = this.fields.waitMax();
		CHECKS.duration("wait", wait, Duration.ZERO);
		CHECKS.duration("wait-max", max, Duration.ZERO);
		if (this.fields.inFlight() == InFlight.REJECT) {
			return new Waiting(Duration.ZERO, max);
		}
		if (!this.layers.names("wait")) {
			wait = shorter(wait, max);
		}
		if (wait.isZero() || wait.compareTo(max) > 0) {
			throw CHECKS.refuse("wait", wait, "a duration above 0 up to wait-max, which is " + Printed.of(max));
		}
		return new Waiting(wait, max);
	}

	private Limits limits() {
		CHECKS.duration("timeout", this.fields.timeout(), INSTANT);
		CHECKS.duration("deadline", this.fields.deadline(), INSTANT);
		CHECKS.duration("late-answer", this.fields.lateAnswer(), Duration.ZERO);
		CHECKS.range("late-answer-max", this.fields.lateAnswerMax(), 0, MANY);
		CHECKS.range("max-in-flight", this.fields.maxInFlight(), 1, MANY);
		return new Limits(this.fields.timeout(), this.fields.deadline(), this.fields.lateAnswer(),
				this.fields.lateAnswerMax(), bodySize("max-request-size", this.fields.maxRequestSize()),
				bodySize("max-response-size", this.fields.maxResponseSize()), this.fields.maxInFlight());
	}

	private static long bodySize(String field, DataSize size) {
		CHECKS.size(field, size, DataSize.ofBytes(0), LARGEST_BODY);
		return size.toBytes();
	}

	private OutcomeRules outcomes() {
		CHECKS.refusals("release-on", this.fields.releaseOn());
		CHECKS.statuses("in-progress-on", this.fields.inProgressOn());
		Set<Integer> releaseOn = new TreeSet<>(this.fields.releaseOn());
		Set<Integer> unknownOn = unknownOn(releaseOn);
		releaseOn.removeAll(unknownOn);
		UnknownHandling unknown = unknown();
		Reconcile reconcile = (unknown == UnknownHandling.RECONCILE) ? Reconciling.parse(this.fields.reconcile())
				: null;
		return new OutcomeRules(Set.copyOf(releaseOn), unknownOn, unknown, this.fields.backendIdempotent(),
				Set.copyOf(this.fields.inProgressOn()), reconcile);
	}

	private Set<Integer> unknownOn(Set<Integer> releaseOn) {
		Set<Integer> named = this.fields.unknownOn();
		if (named == null) {
			return IntStream.range(500, 600)
				.boxed()
				.filter((status) -> !releaseOn.contains(status))
				.collect(Collectors.toUnmodifiableSet());
		}
		CHECKS.statuses("unknown-on", named);
		Set<Integer> both = new TreeSet<>(named);
		both.retainAll(releaseOn);
		if (!both.isEmpty() && this.layers.names("release-on")) {
			throw CHECKS.refuse("unknown-on",
					"holds " + Printed.of(both) + ", as release-on does; accepted: a status in one of the two lists");
		}
		return Set.copyOf(named);
	}

	private UnknownHandling unknown() {
		UnknownHandling said = this.fields.unknown();
		if (said != null) {
			return said;
		}
		return this.fields.backendIdempotent() ? UnknownHandling.RETRY : UnknownHandling.HOLD;
	}

	private RetryRules retry() {
		Resending retry = this.fields.retry();
		CHECKS.range("retry.max-attempts", retry.maxAttempts(), 1, 100);
		CHECKS.refusals("retry.statuses", retry.statuses());
		CHECKS.duration("retry.backoff", retry.backoff(), INSTANT);
		CHECKS.range("retry.multiplier", retry.multiplier(), 1, 100);
		CHECKS.range("retry.jitter", retry.jitter(), 0, 1);
		CHECKS.range("retry.budget", retry.budget(), 0, 100);
		return new RetryRules(retry.maxAttempts(), Set.copyOf(retry.statuses()), retry.backoff(), retry.multiplier(),
				maxBackoff(retry), retry.jitter(), retry.budget());
	}

	/**
	 * A longer first interval lifts the default of the longest, not one that was said.
	 */
	private Duration maxBackoff(Resending retry) {
		Duration max = retry.maxBackoff();
		if (max.compareTo(retry.backoff()) >= 0 || !this.layers.names("retry.max-backoff")) {
			return longer(max, retry.backoff());
		}
		throw CHECKS.refuse("retry.max-backoff", max,
				"a duration not below retry.backoff, which is " + Printed.of(retry.backoff()));
	}

	private CircuitBreakerRules circuitBreaker() {
		Breaker breaker = this.fields.circuitBreaker();
		CHECKS.range("circuit-breaker.window", breaker.window(), 1, MANY);
		CHECKS.range("circuit-breaker.failure-rate", breaker.failureRate(), 0.01, 1);
		CHECKS.duration("circuit-breaker.open", breaker.open(), INSTANT);
		CHECKS.range("circuit-breaker.half-open-calls", breaker.halfOpenCalls(), 1, MANY);
		int minimum = this.layers.names("circuit-breaker.minimum-calls") ? breaker.minimumCalls()
				: Math.min(breaker.minimumCalls(), breaker.window());
		CHECKS.range("circuit-breaker.minimum-calls", minimum, 1, breaker.window());
		return new CircuitBreakerRules(breaker.enabled(), breaker.window(), minimum, breaker.failureRate(),
				breaker.open(), breaker.halfOpenCalls());
	}

	private JobRules jobs() {
		CHECKS.range("jobs.concurrency", this.fields.jobs().concurrency(), 1, 10_000);
		CHECKS.range("jobs.max-queued", this.fields.jobs().maxQueued(), 1, MANY);
		String secret = this.fields.callbackSecret();
		boolean callsBack = this.fields.async() != Async.OFF && !this.fields.callbackHosts().isEmpty();
		if (callsBack && (secret == null || secret.isBlank())) {
			throw CHECKS.refuse("callback-secret",
					"is not set, and callback-hosts is: what is posted there has to be signed; accepted: any text");
		}
		return new JobRules(this.fields.async(), this.fields.jobs().concurrency(), this.fields.jobs().maxQueued(),
				CallbackHosts.parse(this.fields.callbackHosts()), secret);
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

}
