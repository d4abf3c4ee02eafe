package dev.idempotency.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.idempotency.autoconfigure.IdempotencyProperties.Store;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyPolicy.CallerSource;
import dev.idempotency.core.IdempotencyPolicy.CallerSource.Kind;
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
import dev.idempotency.core.IdempotencyPolicy.Retention;
import dev.idempotency.core.IdempotencyPolicy.RetryRules;
import dev.idempotency.core.IdempotencyPolicy.Scope;
import dev.idempotency.core.IdempotencyPolicy.StoreFailure;
import dev.idempotency.core.IdempotencyPolicy.UnknownHandling;
import dev.idempotency.core.IdempotencyPolicy.Waiting;
import org.junit.jupiter.api.Test;

import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

class PolicyFactoryTests {

	private static final Set<Integer> ALL_5XX = IntStream.range(500, 600).boxed().collect(Collectors.toSet());

	private static final Set<Integer> RELEASED = Set.of(401, 403, 407, 408, 421, 425, 429, 503);

	@Test
	void theDefaultPolicyIsTheTableOfTheDocumentation() {
		IdempotencyPolicy policy = factory(new StandardEnvironment()).policyFor("r", Map.of());
		assertThat(policy).isEqualTo(new IdempotencyPolicy("default", Preset.STANDARD, Mode.ENFORCE,
				new KeyRules("Idempotency-Key", List.of(), Set.of("POST", "PATCH"), true, KeyFormat.ANY, 255,
						KeySyntax.LENIENT),
				new Scope(List.of(source(Kind.PRINCIPAL), source(Kind.AUTHORIZATION)), false, "default"),
				new FingerprintRules(false, List.of(), List.of()),
				new Retention(Duration.ofHours(24), Duration.ofHours(24), Duration.ofSeconds(15)),
				new Waiting(Duration.ZERO, Duration.ofSeconds(30)),
				new Limits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), 200, 1 << 20,
						1 << 20, 1000),
				new OutcomeRules(RELEASED, without(ALL_5XX, 503), UnknownHandling.HOLD, false, Set.of(409, 425), null),
				new RetryRules(3, Set.of(503), Duration.ofMillis(100), 2, Duration.ofSeconds(2), 0.5, 0.2),
				new CircuitBreakerRules(true, 100, 50, 0.5, Duration.ofSeconds(10), 5), NoStore.KEEP,
				StoreFailure.REJECT,
				new IdempotencyPolicy.JobRules(IdempotencyPolicy.Async.OFF, 16, 10_000, List.of(), null)));
	}

	@Test
	void strictHoldsRejectsRequiresAndDoesNotTrustA503() {
		IdempotencyPolicy policy = payments("preset: strict, caller: [ principal ], allow-volatile-store: true");
		assertThat(policy.preset()).isEqualTo(Preset.STRICT);
		assertThat(policy.outcomes().unknown()).isEqualTo(UnknownHandling.HOLD);
		assertThat(policy.storeFailure()).isEqualTo(StoreFailure.REJECT);
		assertThat(policy.key().required()).isTrue();
		assertThat(policy.fingerprint().json()).isFalse();
		assertThat(policy.outcomes().releaseOn()).isEqualTo(without(RELEASED, 503));
		assertThat(policy.outcomes().unknownOn()).isEqualTo(ALL_5XX);
		assertThat(policy.retry().statuses()).isEmpty();
	}

	@Test
	void strictHoldsEvenWhereTheBackendIsIdempotent() {
		assertThat(payments(
				"preset: strict, caller: [ principal ], allow-volatile-store: true, " + "backend-idempotent: true")
			.outcomes()
			.unknown()).isEqualTo(UnknownHandling.HOLD);
	}

	@Test
	void strictNeedsNoPermissionWhereTheStoreIsDurable() {
		Environment environment = Yaml.payments("preset: strict, caller: [ principal ]");
		assertThat(new PolicyFactory(environment, Store.TIERED).policyFor("r", Map.of("policy", "payments")).preset())
			.isEqualTo(Preset.STRICT);
	}

	@Test
	void relaxedTakesMissingKeysForwardsAndRetries() {
		IdempotencyPolicy policy = payments("preset: relaxed");
		assertThat(policy.key().required()).isFalse();
		assertThat(policy.storeFailure()).isEqualTo(StoreFailure.FORWARD);
		assertThat(policy.outcomes().unknown()).isEqualTo(UnknownHandling.RETRY);
		assertThat(policy.outcomes().releaseOn()).isEqualTo(RELEASED);
	}

	@Test
	void whatAPolicySaysGoesBeforeItsPreset() {
		IdempotencyPolicy policy = payments("preset: relaxed, key: required");
		assertThat(policy.key().required()).isTrue();
		assertThat(policy.storeFailure()).isEqualTo(StoreFailure.FORWARD);
	}

	@Test
	void anArgumentOfTheRouteGoesBeforeThePolicy() {
		Environment environment = Yaml.payments("ttl: 48h, retry: { max-attempts: 4, jitter: 0.1 }");
		IdempotencyPolicy policy = factory(environment).policyFor("r",
				Map.of("policy", "payments", "retry.max-attempts", "7", "lease", "20s"));
		assertThat(policy.retry().maxAttempts()).isEqualTo(7);
		assertThat(policy.retry().jitter()).isEqualTo(0.1);
		assertThat(policy.retention().ttl()).isEqualTo(Duration.ofHours(48));
		assertThat(policy.retention().lease()).isEqualTo(Duration.ofSeconds(20));
	}

	@Test
	void aPresetAmongTheArgumentsReplacesThePolicysPreset() {
		IdempotencyPolicy policy = factory(Yaml.payments("preset: relaxed, ttl: 1h")).policyFor("r",
				Map.of("policy", "payments", "preset", "standard"));
		assertThat(policy.key().required()).isTrue();
		assertThat(policy.retention().ttl()).isEqualTo(Duration.ofHours(1));
	}

	@Test
	void aListAmongTheArgumentsReplacesTheWholeList() {
		IdempotencyPolicy policy = factory(Yaml.payments("caller: [ principal, client-ip ]")).policyFor("r",
				Map.of("policy", "payments", "caller.0", "header:X-Tenant"));
		assertThat(policy.scope().callers()).containsExactly(new CallerSource(Kind.HEADER, "X-Tenant"));
	}

	@Test
	void elementsOfAListAreTakenWithBracketsToo() {
		IdempotencyPolicy policy = factory(new StandardEnvironment()).policyFor("r",
				Map.of("caller[0]", "cookie:SESSION", "caller[1]", "client-ip"));
		assertThat(policy.scope().callers()).containsExactly(new CallerSource(Kind.COOKIE, "SESSION"),
				source(Kind.CLIENT_IP));
	}

	@Test
	void aTextWithCommasReplacesAList() {
		IdempotencyPolicy policy = factory(Yaml.payments("methods: [ PATCH, DELETE ]")).policyFor("r",
				Map.of("policy", "payments", "methods", "put, POST", "release-on", "404,429"));
		assertThat(policy.key().methods()).containsExactlyInAnyOrder("PUT", "POST");
		assertThat(policy.outcomes().releaseOn()).containsExactlyInAnyOrder(404, 429);
	}

	@Test
	void anEmptyListIsAList() {
		assertThat(payments("release-on: []").outcomes().releaseOn()).isEmpty();
		assertThat(payments("release-on: []").outcomes().unknownOn()).isEqualTo(ALL_5XX);
	}

	@Test
	void aPolicyInheritsNothingFromDefault() {
		Environment environment = Yaml.environment("""
				idempotency:
				  policies:
				    default: { ttl: 1h }
				    payments: { lease: 20s }
				""");
		assertThat(factory(environment).policyFor("r", Map.of("policy", "payments")).retention().ttl())
			.isEqualTo(Duration.ofHours(24));
		assertThat(factory(environment).policyFor("r", Map.of()).retention().ttl()).isEqualTo(Duration.ofHours(1));
	}

	@Test
	void aPolicyWithoutFieldsIsAPolicy() {
		Environment environment = Yaml.environment("""
				idempotency:
				  policies:
				    orders: {}
				    refunds:
				""");
		assertThat(factory(environment).policyFor("r", Map.of("policy", "orders")).name()).isEqualTo("orders");
		assertThat(factory(environment).policyFor("r", Map.of("policy", "refunds")).name()).isEqualTo("refunds");
		assertThat(factory(environment).names()).containsExactly("default", "orders", "refunds");
	}

	@Test
	void namesAreRelaxed() {
		IdempotencyPolicy policy = payments("retry: { maxAttempts: 5 }, max_request_size: 2MB");
		assertThat(policy.retry().maxAttempts()).isEqualTo(5);
		assertThat(policy.limits().maxRequestSize()).isEqualTo(2 << 20);
	}

	@Test
	void aNameWithSpecialCharactersIsFound() {
		Environment environment = Yaml.environment("""
				idempotency:
				  policies:
				    "[eu.payments]": { ttl: 1h }
				    EU_payments: { ttl: 2h }
				""");
		assertThat(factory(environment).policyFor("r", Map.of("policy", "eu.payments")).retention().ttl())
			.isEqualTo(Duration.ofHours(1));
		assertThat(factory(environment).policyFor("r", Map.of("policy", "EU_payments")).retention().ttl())
			.isEqualTo(Duration.ofHours(2));
	}

	@Test
	void anEnvironmentVariableGoesBeforeTheFile() {
		StandardEnvironment environment = Yaml.payments("ttl: 48h, caller: [ principal, client-ip ]");
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
							Map.of("IDEMPOTENCY_POLICIES_PAYMENTS_TTL", "1h",
									"IDEMPOTENCY_POLICIES_PAYMENTS_RETRY_MAXATTEMPTS", "1",
									"IDEMPOTENCY_POLICIES_PAYMENTS_CALLER", "principal")));
		IdempotencyPolicy policy = factory(environment).policyFor("r", Map.of("policy", "payments"));
		assertThat(policy.retention().ttl()).isEqualTo(Duration.ofHours(1));
		assertThat(policy.retry().maxAttempts()).isEqualTo(1);
		assertThat(policy.scope().callers()).containsExactly(source(Kind.PRINCIPAL));
	}

	@Test
	void placeholdersInAPolicyAreResolved() {
		StandardEnvironment environment = Yaml.payments("ttl: '${RETENTION:48h}'");
		environment.getPropertySources().addFirst(new MapPropertySource("further", Map.of("RETENTION", "12h")));
		assertThat(factory(environment).policyFor("r", Map.of("policy", "payments")).retention().ttl())
			.isEqualTo(Duration.ofHours(12));
	}

	@Test
	void anUnknownOutcomeStaysAsLongAsADoneOneButADayAtLeast() {
		assertThat(payments("ttl: 48h").retention().unknownTtl()).isEqualTo(Duration.ofHours(48));
		assertThat(payments("ttl: 1s").retention().unknownTtl()).isEqualTo(Duration.ofHours(24));
		assertThat(payments("ttl: 48h, unknown-ttl: 2h").retention().unknownTtl()).isEqualTo(Duration.ofHours(2));
	}

	@Test
	void unknownOutcomesMayBeRetriedWhereTheBackendIsIdempotent() {
		assertThat(payments("backend-idempotent: true").outcomes().unknown()).isEqualTo(UnknownHandling.RETRY);
		assertThat(payments("backend-idempotent: true, unknown: hold").outcomes().unknown())
			.isEqualTo(UnknownHandling.HOLD);
	}

	@Test
	void aReleasedStatusIsNotUnknown() {
		assertThat(payments("release-on: [ 500, 503 ]").outcomes().unknownOn()).isEqualTo(without(ALL_5XX, 500, 503));
	}

	@Test
	void aStatusNamedAsUnknownLeavesTheDefaultOfReleaseOn() {
		OutcomeRules outcomes = payments("unknown-on: [ 500, 503 ]").outcomes();
		assertThat(outcomes.unknownOn()).containsExactlyInAnyOrder(500, 503);
		assertThat(outcomes.releaseOn()).isEqualTo(without(RELEASED, 503));
	}

	@Test
	void aWaitIsUsedOnlyWhereDuplicatesWait() {
		assertThat(payments("in-flight: wait, wait: 8s").waiting().byDefault()).isEqualTo(Duration.ofSeconds(8));
		assertThat(payments("wait: 8s").waiting().byDefault()).isZero();
		assertThat(payments("in-flight: wait, wait-max: 2s").waiting().byDefault()).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void aReconciliationKeepsTheNamesOfItsHeaders() {
		OutcomeRules outcomes = payments("unknown: reconcile, reconcile: { uri: 'http://p:8080/q?k={key}', "
				+ "applied: '200, 201', headers: { X-Api-Key: secret } }")
			.outcomes();
		assertThat(outcomes.reconcile()).isNotNull();
		assertThat(outcomes.reconcile().uri()).isEqualTo("http://p:8080/q?k={key}");
		assertThat(outcomes.reconcile().applied()).containsExactlyInAnyOrder(200, 201);
		assertThat(outcomes.reconcile().notApplied()).containsExactly(404);
		assertThat(outcomes.reconcile().settleAfter()).isEqualTo(Duration.ofSeconds(60));
		assertThat(outcomes.reconcile().headers()).containsExactly(Map.entry("X-Api-Key", "secret"));
	}

	@Test
	void whatAReconciliationSendsDoesNotReachALog() {
		assertThat(payments("unknown: reconcile, reconcile: { uri: 'http://p/{key}', headers: { X-Key: top-secret } }")
			.toString()).contains("http://p/***").doesNotContain("top-secret");
	}

	@Test
	void aReconciliationIsKeptOutWhereUnknownOutcomesAreHeld() {
		assertThat(payments("unknown: hold, reconcile: { uri: 'http://p/{key}' }").outcomes().reconcile()).isNull();
	}

	@Test
	void aLongFirstIntervalLiftsTheDefaultOfTheLongest() {
		assertThat(payments("retry: { backoff: 5s }").retry().maxBackoff()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void aSmallWindowLowersTheDefaultOfTheMinimum() {
		assertThat(payments("circuit-breaker: { window: 10 }").circuitBreaker().minimumCalls()).isEqualTo(10);
	}

	@Test
	void theCanonicalHeaderIsNoAliasOfItself() {
		assertThat(payments("aliases: [ idempotency-key, X-Idempotency-Key ]").key().aliases())
			.containsExactly("X-Idempotency-Key");
	}

	@Test
	void aPolicyIsPutTogetherOnceForManyRoutes() {
		PolicyFactory factory = factory(Yaml.payments("ttl: 1h"));
		assertThat(factory.policyFor("other", Map.of("policy", "payments")))
			.isSameAs(factory.policyFor("r", Map.of("policy", "payments")));
	}

	@Test
	void aChangeOfTheEnvironmentIsSeen() {
		StandardEnvironment environment = Yaml.payments("ttl: 1h");
		PolicyFactory factory = factory(environment);
		factory.policyFor("r", Map.of("policy", "payments"));
		environment.getPropertySources()
			.addFirst(new MapPropertySource("changed", Map.of("idempotency.policies.payments.ttl", "2h")));
		factory
			.onApplicationEvent(new EnvironmentChangeEvent(environment, Set.of("idempotency.policies.payments.ttl")));
		assertThat(factory.policyFor("r", Map.of("policy", "payments")).retention().ttl())
			.isEqualTo(Duration.ofHours(2));
	}

	private static IdempotencyPolicy payments(String fields) {
		return factory(Yaml.payments(fields)).policyFor("pay-route", Map.of("policy", "payments"));
	}

	private static PolicyFactory factory(Environment environment) {
		return new PolicyFactory(environment, Store.MEMORY);
	}

	private static CallerSource source(Kind kind) {
		return new CallerSource(kind, "");
	}

	private static Set<Integer> without(Set<Integer> statuses, Integer... taken) {
		return statuses.stream().filter((status) -> !List.of(taken).contains(status)).collect(Collectors.toSet());
	}

}
