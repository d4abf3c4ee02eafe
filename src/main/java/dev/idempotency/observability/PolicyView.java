package dev.idempotency.observability;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyPolicy.CallerSource;
import dev.idempotency.core.IdempotencyPolicy.CircuitBreakerRules;
import dev.idempotency.core.IdempotencyPolicy.Limits;
import dev.idempotency.core.IdempotencyPolicy.Reconcile;
import dev.idempotency.core.IdempotencyPolicy.Retention;
import dev.idempotency.core.IdempotencyPolicy.RetryRules;

/**
 * An effective policy as operators read it: the fields of the configuration, no secrets.
 */
final class PolicyView {

	private PolicyView() {
	}

	static Map<String, Object> of(IdempotencyPolicy policy) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("policy", policy.name());
		view.put("preset", word(policy.preset()));
		view.put("mode", word(policy.mode()));
		view.put("header", policy.key().header());
		view.put("aliases", policy.key().aliases());
		view.put("methods", policy.key().methods().stream().sorted().toList());
		view.put("key", policy.key().required() ? "required" : "optional");
		view.put("key-format", word(policy.key().format()));
		view.put("key-max-length", policy.key().maxLength());
		view.put("key-syntax", word(policy.key().syntax()));
		view.put("caller", policy.scope().callers().stream().map(CallerSource::toString).toList());
		view.put("anonymous", policy.scope().anonymousShares() ? "share" : "reject");
		view.put("namespace", policy.scope().namespace());
		view.put("fingerprint", policy.fingerprint().json() ? "json" : "bytes");
		view.put("fingerprint-headers", policy.fingerprint().headers());
		view.put("fingerprint-exclude", policy.fingerprint().exclude());
		retention(view, policy.retention());
		view.put("in-flight", policy.waiting().byDefault().isZero() ? "reject" : "wait");
		view.put("wait", policy.waiting().byDefault().toString());
		view.put("wait-max", policy.waiting().max().toString());
		limits(view, policy.limits());
		view.put("no-store", word(policy.noStore()));
		view.put("release-on", policy.outcomes().releaseOn().stream().sorted().toList());
		view.put("unknown-on", policy.outcomes().unknownOn().stream().sorted().toList());
		view.put("unknown", word(policy.outcomes().unknown()));
		view.put("backend-idempotent", policy.outcomes().backendIdempotent());
		view.put("in-progress-on", policy.outcomes().inProgressOn().stream().sorted().toList());
		Reconcile reconcile = policy.outcomes().reconcile();
		if (reconcile != null) {
			view.put("reconcile", reconcile(reconcile));
		}
		view.put("store-failure", word(policy.storeFailure()));
		view.put("retry", retry(policy.retry()));
		view.put("circuit-breaker", circuitBreaker(policy.circuitBreaker()));
		return view;
	}

	private static void retention(Map<String, Object> view, Retention retention) {
		view.put("ttl", retention.ttl().toString());
		view.put("unknown-ttl", retention.unknownTtl().toString());
		view.put("lease", retention.lease().toString());
	}

	private static void limits(Map<String, Object> view, Limits limits) {
		view.put("timeout", limits.timeout().toString());
		view.put("deadline", limits.deadline().toString());
		view.put("late-answer", limits.lateAnswer().toString());
		view.put("late-answer-max", limits.lateAnswerMax());
		view.put("max-request-size", limits.maxRequestSize());
		view.put("max-response-size", limits.maxResponseSize());
		view.put("max-in-flight", limits.maxInFlight());
	}

	private static Map<String, Object> retry(RetryRules rules) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("max-attempts", rules.maxAttempts());
		view.put("statuses", rules.statuses().stream().sorted().toList());
		view.put("backoff", rules.backoff().toString());
		view.put("multiplier", rules.multiplier());
		view.put("jitter", rules.jitter());
		view.put("max-backoff", rules.maxBackoff().toString());
		view.put("budget", rules.budget());
		return view;
	}

	private static Map<String, Object> circuitBreaker(CircuitBreakerRules rules) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("enabled", rules.enabled());
		view.put("window", rules.window());
		view.put("minimum-calls", rules.minimumCalls());
		view.put("failure-rate", rules.failureRate());
		view.put("open", rules.open().toString());
		view.put("half-open-calls", rules.halfOpenCalls());
		return view;
	}

	/** Neither the address nor the values of headers: both may hold credentials. */
	private static Map<String, Object> reconcile(Reconcile rules) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("applied", rules.applied().stream().sorted().toList());
		view.put("not-applied", rules.notApplied().stream().sorted().toList());
		view.put("settle-after", rules.settleAfter().toString());
		view.put("timeout", rules.timeout().toString());
		view.put("headers", rules.headers().keySet().stream().sorted().toList());
		return view;
	}

	private static String word(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

}
