package dev.idempotency.autoconfigure;

import java.time.InstantSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;

import dev.idempotency.core.EngineServices;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobServices;
import dev.idempotency.core.LeaseKeeper;
import dev.idempotency.core.Operations;
import dev.idempotency.core.Settlements;
import dev.idempotency.gateway.AnswerSettings;
import dev.idempotency.gateway.BypassGatewayFilter;
import dev.idempotency.gateway.IdempotencyGatewayFilterFactory;
import dev.idempotency.gateway.IdempotencyWriteResponseFilter;
import dev.idempotency.gateway.ProtectedRoutes;
import dev.idempotency.gateway.RouteProtection;
import dev.idempotency.gateway.WellKnownPage;
import dev.idempotency.observability.ObservedStore;
import dev.idempotency.observability.RouteObservers;
import dev.idempotency.observability.Spans;
import dev.idempotency.store.PackingStore;
import dev.idempotency.store.StoreWarmUp;
import dev.idempotency.upstream.BackendClient;
import dev.idempotency.upstream.BodyBudget;
import dev.idempotency.upstream.UpstreamRoutes;
import dev.idempotency.upstream.UpstreamServices;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.gateway.config.GatewayAutoConfiguration;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.route.RouteDefinitionLocator;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Makes {@code - Idempotency} on a route work in any Spring Cloud Gateway.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = GatewayAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(GlobalFilter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(name = "spring.cloud.gateway.server.webflux.enabled", matchIfMissing = true)
@EnableConfigurationProperties(IdempotencyProperties.class)
public final class IdempotencyAutoConfiguration {

	@Bean
	PolicyFactory idempotencyPolicyFactory(Environment environment, IdempotencyProperties properties) {
		return new PolicyFactory(environment, properties.store());
	}

	@Bean
	RouteGuard idempotencyRouteGuard(RouteDefinitionLocator definitions, GatewayProperties gateway,
			IdempotencyProperties properties, PolicyFactory policies, BeanFactory beans) {
		return new RouteGuard(definitions, gateway, properties, policies, beans, ProtectedRoutes.identityRules());
	}

	@Bean
	RouteObservers idempotencyRouteObservers(ObjectProvider<MeterRegistry> registry, ObjectProvider<Spans> spans) {
		return new RouteObservers(registry.getIfAvailable(CompositeMeterRegistry::new),
				spans.getIfAvailable(() -> Spans.NONE), InstantSource.system());
	}

	@Bean
	ProtectedRoutes idempotencyProtectedRoutes(RouteLocator routes) {
		return new ProtectedRoutes(routes);
	}

	/**
	 * Also for routes that this filter does not protect: nobody wants a POST sent twice.
	 */
	@Bean
	HttpClientCustomizer idempotencyHttpClientCustomizer() {
		return BackendClient::prepared;
	}

	/** Everything but the kill switch. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
	static class Protecting {

		@Bean
		Operations idempotencyOperations() {
			return new Operations();
		}

		@Bean
		OperationsLifecycle idempotencyOperationsLifecycle(Operations operations) {
			return new OperationsLifecycle(operations);
		}

		/**
		 * The properties come first: a store that is misspelt is their error, not a
		 * missing bean.
		 */
		@Bean
		EngineServices idempotencyEngineServices(IdempotencyProperties properties, IdempotencyStore store,
				Operations operations, ObjectProvider<MeterRegistry> registry, ObjectProvider<Spans> spans) {
			IdempotencyStore observed = new ObservedStore(new PackingStore(store, properties.packing()),
					registry.getIfAvailable(CompositeMeterRegistry::new), spans.getIfAvailable(() -> Spans.NONE));
			Scheduler scheduler = Schedulers.parallel();
			return new EngineServices(observed, new LeaseKeeper(observed, scheduler, System::nanoTime), operations,
					new Settlements(observed, scheduler, properties.settleBacklog().toBytes()), scheduler,
					System::nanoTime);
		}

		/** Before the application says that it is ready for traffic. */
		@Bean
		ApplicationRunner idempotencyWarmUp(IdempotencyStore store) {
			return (arguments) -> new StoreWarmUp(store).walk().block();
		}

		@Bean
		AnswerSettings idempotencyAnswerSettings(IdempotencyProperties properties) {
			String documentation = (properties.documentationUri() != null) ? properties.documentationUri().toString()
					: WellKnownPage.PATH;
			return new AnswerSettings(properties.problemBaseUri(), documentation,
					AnswerSettings.dropped(properties.replay().dropHeaders(), properties.replay().keepHeaders()),
					properties.jobs().path());
		}

		@Bean
		BodyBudget idempotencyBodyBudget(IdempotencyProperties properties) {
			return new BodyBudget(properties.maxBufferedBytes());
		}

		@Bean
		@ConditionalOnMissingBean(name = "idempotencyGatewayFilterFactory")
		IdempotencyGatewayFilterFactory idempotencyGatewayFilterFactory(PolicyFactory policies,
				EngineServices engineServices, ObjectProvider<JobServices> jobs, ObjectProvider<HttpClient> httpClient,
				AnswerSettings answers, BodyBudget budget, RouteObservers observers) {
			UpstreamServices upstream = new UpstreamServices(engineServices.operations(), Schedulers.parallel(),
					System::nanoTime, InstantSource.system(), httpClient.getIfAvailable(HttpClient::create));
			return new IdempotencyGatewayFilterFactory(new RouteProtection(policies::policyFor, engineServices,
					upstream, new UpstreamRoutes(), jobs.getIfAvailable(), answers, budget, observers));
		}

		@Bean
		IdempotencyWriteResponseFilter idempotencyWriteResponseFilter() {
			return new IdempotencyWriteResponseFilter();
		}

		@Bean
		RouterFunction<ServerResponse> idempotencyWellKnownPage(ProtectedRoutes routes, AnswerSettings answers) {
			return WellKnownPage.router(routes, answers);
		}

	}

	/** The kill switch is thrown: routes that name the filter keep working without it. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "idempotency.enabled", havingValue = false)
	static class Bypassing {

		@Bean
		IdempotencyGatewayFilterFactory idempotencyGatewayFilterFactory(RouteObservers observers) {
			return new IdempotencyGatewayFilterFactory(
					(route, arguments) -> new BypassGatewayFilter(observers.apply(route)));
		}

	}

}
