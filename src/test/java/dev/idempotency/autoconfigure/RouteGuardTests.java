package dev.idempotency.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.test.StepVerifier;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.config.PropertiesRouteDefinitionLocator;
import org.springframework.cloud.gateway.route.InMemoryRouteDefinitionRepository;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionLocator;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class RouteGuardTests {

	private static final String ROUTES = GatewayProperties.PREFIX + ".routes";

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Guarded.class)
		.withPropertyValues(ROUTES + "[0].id=pay-route", ROUTES + "[0].uri=http://localhost",
				ROUTES + "[0].predicates[0]=Path=/pay");

	@Test
	void aRouteWithAnUnknownPolicyStopsTheStart() {
		withFilters("Idempotency=no-such-policy").run((context) -> assertThat(description(context.getStartupFailure()))
			.isEqualTo("Route 'pay-route', policy 'no-such-policy': there is no such policy; known: default"));
	}

	@Test
	void aDefaultFilterIsCheckedWithEachRoute() {
		this.runner.withPropertyValues(GatewayProperties.PREFIX + ".default-filters[0]=Idempotency=no-such-policy")
			.run((context) -> assertThat(description(context.getStartupFailure())).contains("pay-route"));
	}

	@Test
	void anArgumentOfTheLongFormIsChecked() {
		this.runner
			.withPropertyValues(ROUTES + "[0].filters[0].name=Idempotency",
					ROUTES + "[0].filters[0].args.retry.max-attempts=0")
			.run((context) -> assertThat(description(context.getStartupFailure())).contains("pay-route",
					"retry.max-attempts", "1 to 100"));
	}

	@Test
	void anExpressionAmongTheArgumentsIsEvaluated(CapturedOutput output) {
		this.runner.withBean("rules", String.class, () -> "payments")
			.withPropertyValues(ROUTES + "[0].filters[0].name=Idempotency",
					ROUTES + "[0].filters[0].args.policy=#{@rules}", "idempotency.policies.payments.ttl=3h")
			.run((context) -> assertThat(output).contains("policy 'payments'", "ttl 3h"));
	}

	@Test
	void aPolicyThatNoRouteUsesIsCheckedToo() {
		this.runner.withPropertyValues("idempotency.policies.later.ttl=soon")
			.run((context) -> assertThat(description(context.getStartupFailure()))
				.startsWith("Policy 'later': field 'ttl'"));
	}

	@Test
	void aProtectedRouteIsPrintedWithItsEffectivePolicy(CapturedOutput output) {
		withFilters("Idempotency").run((context) -> assertThat(line(output, "pay-route")).contains("INFO",
				"policy 'default', preset standard, header Idempotency-Key, methods PATCH, POST, caller [principal, "
						+ "authorization], ttl 24h, unknown hold, store memory, identity rules 0ddba11"));
	}

	@Test
	void keysOfWhichNoneWritesAreWarnedOf(CapturedOutput output) {
		withFilters("Idempotency")
			.withPropertyValues("idempotency.encryption.keys.next=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
			.run((context) -> assertThat(output).contains("idempotency.encryption.active is not"));
	}

	@Test
	void aRouteWithoutTheFilterIsNotMentioned(CapturedOutput output) {
		withFilters("Retry=3").run((context) -> assertThat(output).doesNotContain("pay-route"));
	}

	@Test
	void aFilterThatResendsBesideItIsWarnedOf(CapturedOutput output) {
		withFilters("Retry=3", "Idempotency")
			.run((context) -> assertThat(line(output, "'Retry'")).contains("WARN", "pay-route"));
	}

	@Test
	void aFilterThatResendsBesideItIsRefusedUnderStrict() {
		withFilters("Idempotency=payments", "CircuitBreaker=cb")
			.withPropertyValues("idempotency.policies.payments.preset=strict",
					"idempotency.policies.payments.caller=principal",
					"idempotency.policies.payments.allow-volatile-store=true")
			.run((context) -> assertThat(description(context.getStartupFailure())).contains("pay-route",
					"'CircuitBreaker'", "strict"));
	}

	@Test
	void twoFiltersOnARouteAreWarnedOf(CapturedOutput output) {
		withFilters("Idempotency").withPropertyValues(GatewayProperties.PREFIX + ".default-filters[0]=Idempotency")
			.run((context) -> assertThat(line(output, "carries 2 Idempotency filters")).contains("WARN", "pay-route"));
	}

	@Test
	void aCallerByCredentialIsWarnedOfOnceAPolicy(CapturedOutput output) {
		withFilters("Idempotency")
			.withPropertyValues(ROUTES + "[1].id=other", ROUTES + "[1].uri=http://localhost",
					ROUTES + "[1].predicates[0]=Path=/other", ROUTES + "[1].filters[0]=Idempotency")
			.run((context) -> {
				assertThat(line(output, "'authorization'")).contains("WARN", "Policy 'default'");
				assertThat(output.getOut().lines().filter((line) -> line.contains("'authorization'"))).hasSize(1);
			});
	}

	@Test
	void theMemoryStoreSaysWhatItDoesNot(CapturedOutput output) {
		this.runner.run((context) -> assertThat(line(output, "idempotency.store is memory")).contains("WARN",
				"one instance only", "restart"));
	}

	@Test
	void theKillSwitchIsWarnedOf(CapturedOutput output) {
		this.runner.withPropertyValues("idempotency.enabled=false")
			.run((context) -> assertThat(line(output, "idempotency.enabled is false")).contains("WARN"));
	}

	@Test
	void aRefreshWithAnImpossibleRouteIsRefused() {
		this.runner.run((context) -> {
			context.getBean(InMemoryRouteDefinitionRepository.class)
				.save(reactor.core.publisher.Mono.just(route("late-route=http://localhost", "Idempotency=nowhere")))
				.block();
			StepVerifier.create(context.getBean(RouteGuard.class).getRoutes())
				.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(InvalidPolicyException.class)
					.hasMessageContaining("late-route"))
				.verify();
		});
	}

	@Test
	void aRefreshBringsNoRoutesAndRepeatsNothing(CapturedOutput output) {
		withFilters("Idempotency").run((context) -> {
			StepVerifier.create(context.getBean(RouteGuard.class).getRoutes()).verifyComplete();
			assertThat(output.getOut().lines().filter((line) -> line.contains("pay-route"))).hasSize(1);
		});
	}

	@Test
	void aRouteThatTheGatewayWouldLeaveOutStopsNothing(CapturedOutput output) {
		withFilters("Idempotency=nowhere")
			.withPropertyValues(GatewayProperties.PREFIX + ".fail-on-route-definition-error=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(line(output, "pay-route")).contains("WARN", "nowhere", "leaves this route out");
			});
	}

	private ApplicationContextRunner withFilters(String... filters) {
		ApplicationContextRunner with = this.runner;
		for (int i = 0; i < filters.length; i++) {
			with = with.withPropertyValues(ROUTES + "[0].filters[" + i + "]=" + filters[i]);
		}
		return with;
	}

	private static RouteDefinition route(String text, String filter) {
		RouteDefinition route = new RouteDefinition(text + ",Path=/late");
		route.getFilters().add(new org.springframework.cloud.gateway.filter.FilterDefinition(filter));
		return route;
	}

	private static String description(Throwable failure) {
		return new InvalidPolicyFailureAnalyzer().analyze(failure).getDescription();
	}

	private static String line(CapturedOutput output, String part) {
		return output.getOut().lines().filter((line) -> line.contains(part)).findFirst().orElse("(no line)");
	}

	@EnableConfigurationProperties({ IdempotencyProperties.class, GatewayProperties.class })
	static class Guarded {

		@Bean
		InMemoryRouteDefinitionRepository repository() {
			return new InMemoryRouteDefinitionRepository();
		}

		@Bean
		RouteGuard guard(GatewayProperties gateway, InMemoryRouteDefinitionRepository repository,
				IdempotencyProperties properties, Environment environment, BeanFactory beans) {
			RouteDefinitionLocator configured = new PropertiesRouteDefinitionLocator(gateway);
			RouteDefinitionLocator all = () -> configured.getRouteDefinitions()
				.concatWith(repository.getRouteDefinitions());
			return new RouteGuard(all, gateway, properties, new PolicyFactory(environment, properties.store()), beans,
					"0ddba11");
		}

	}

}
