package dev.idempotency.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.idempotency.autoconfigure.IdempotencyProperties.Store;
import dev.idempotency.core.IdempotencyPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionLocator;
import org.springframework.cloud.gateway.route.RouteLocator;

/**
 * Looks at all route definitions before the port is open and stops the start where a
 * policy cannot be. On later refreshes it stands among the route locators, without routes
 * of its own: an error there refuses the whole refresh, and the routes in use stay.
 *
 * <p>
 * Routes that are built in code have no definition; the filter factory checks their
 * policies.
 */
final class RouteGuard implements RouteLocator, SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(RouteGuard.class);

	/** A registry that does not answer must not hold the start back for ever. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final RouteDefinitionLocator definitions;

	private final GatewayProperties gateway;

	private final IdempotencyProperties properties;

	private final PolicyFactory policies;

	private final RouteReview review;

	private volatile Set<Remark> said = Set.of();

	/**
	 * A guard over all definitions.
	 * @param definitions where they come from
	 * @param gateway holds the default filters
	 * @param properties the gateway-wide settings
	 * @param policies makes the policies
	 * @param beans what expressions in arguments may refer to
	 * @param identityRules hash of the rules by which identities are made
	 */
	RouteGuard(RouteDefinitionLocator definitions, GatewayProperties gateway, IdempotencyProperties properties,
			PolicyFactory policies, BeanFactory beans, String identityRules) {
		this.definitions = definitions;
		this.gateway = gateway;
		this.properties = properties;
		this.policies = policies;
		this.review = new RouteReview(policies, beans, (properties.enabled() ? "" : "BYPASSED, ") + "store "
				+ Printed.of(properties.store()) + ", identity rules " + identityRules);
	}

	@Override
	public void afterSingletonsInstantiated() {
		settingsRemarks().forEach((remark) -> remark.log(logger));
		check(definitionsAtStart());
		this.policies.names().forEach(this.policies::policy);
	}

	/** No routes, but an error if a definition cannot be. */
	@Override
	public Flux<Route> getRoutes() {
		return this.definitions.getRouteDefinitions().collectList().doOnNext(this::check).thenMany(Flux.empty());
	}

	private List<RouteDefinition> definitionsAtStart() {
		try {
			List<RouteDefinition> routes = this.definitions.getRouteDefinitions().collectList().block(PATIENCE);
			return (routes != null) ? routes : List.of();
		}
		catch (RuntimeException ex) {
			logger.warn("Route definitions cannot be read yet; their policies are checked once they can: {}",
					ex.toString());
			return List.of();
		}
	}

	private void check(List<RouteDefinition> routes) {
		Set<Remark> remarks = new LinkedHashSet<>();
		routes.forEach((route) -> remarks.addAll(check(route)));
		Set<Remark> before = this.said;
		this.said = Set.copyOf(remarks);
		remarks.stream().filter((remark) -> !before.contains(remark)).forEach((remark) -> remark.log(logger));
	}

	private List<Remark> check(RouteDefinition route) {
		List<FilterDefinition> defaults = this.gateway.getDefaultFilters();
		List<IdempotencyPolicy> found = new ArrayList<>();
		try {
			found.addAll(this.review.policies(route, defaults));
		}
		catch (InvalidPolicyException ex) {
			if (this.gateway.isFailOnRouteDefinitionError()) {
				throw ex;
			}
			return List.of(Remark.warn(ex.getMessage() + " (the gateway leaves this route out)"));
		}
		return found.isEmpty() ? List.of() : this.review.remarks(route, defaults, found);
	}

	private List<Remark> settingsRemarks() {
		List<Remark> remarks = new ArrayList<>();
		if (!this.properties.enabled()) {
			remarks.add(Remark.warn("idempotency.enabled is false: requests pass through unprotected"));
		}
		if (this.properties.store() == Store.MEMORY) {
			remarks.add(Remark.warn("idempotency.store is memory: it protects one instance only and forgets at a "
					+ "restart; use redis for more than one gateway"));
		}
		if (this.properties.encryption().isReadOnly()) {
			remarks.add(Remark.warn("idempotency.encryption.keys are there and idempotency.encryption.active is not: "
					+ "what is written from now on is in the clear"));
		}
		return remarks;
	}

}
