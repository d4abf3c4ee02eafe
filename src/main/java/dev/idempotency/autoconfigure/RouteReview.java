package dev.idempotency.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyPolicy.Preset;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.support.ShortcutConfigurable;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Reads the definition of one route and says what is to be said of it. */
final class RouteReview {

	private static final String FILTER = "Idempotency";

	/** They resend, answer or cancel outside the outcome classes. */
	private static final Set<String> UNSAFE_NEIGHBOURS = Set.of("Retry", "CircuitBreaker", "LocalResponseCache");

	private static final SpelExpressionParser EXPRESSIONS = new SpelExpressionParser();

	private static final ShortcutConfigurable SHORTCUT = new ShortcutConfigurable() {
		@Override
		public List<String> shortcutFieldOrder() {
			return List.of(PolicyFactory.POLICY_ARGUMENT);
		}
	};

	private final PolicyFactory policies;

	private final BeanFactory beans;

	private final String facts;

	/**
	 * A review.
	 * @param policies makes the policies
	 * @param beans what expressions in arguments may refer to
	 * @param facts what is the same for all routes
	 */
	RouteReview(PolicyFactory policies, BeanFactory beans, String facts) {
		this.policies = policies;
		this.beans = beans;
		this.facts = facts;
	}

	/** The policies of the route's filters, of which there should be one at most. */
	List<IdempotencyPolicy> policies(RouteDefinition route, List<FilterDefinition> defaults) {
		return filters(route, defaults).filter((filter) -> FILTER.equals(filter.getName()))
			.map((filter) -> this.policies.policyFor(id(route), arguments(filter)))
			.toList();
	}

	/** What is to be said of a route that is protected. */
	List<Remark> remarks(RouteDefinition route, List<FilterDefinition> defaults, List<IdempotencyPolicy> policies) {
		List<Remark> remarks = new ArrayList<>();
		boolean strict = policies.stream().anyMatch((policy) -> policy.preset() == Preset.STRICT);
		filters(route, defaults).map(FilterDefinition::getName)
			.filter((name) -> name != null && UNSAFE_NEIGHBOURS.contains(name))
			.forEach((name) -> remarks.add(neighbour(route, name, strict)));
		if (policies.size() > 1) {
			remarks.add(Remark.warn("Route '" + id(route) + "' carries " + policies.size() + " " + FILTER
					+ " filters, default filters included; the last one acts"));
		}
		policies.forEach((policy) -> remarks.addAll(PolicyRemarks.on(policy)));
		policies.forEach((policy) -> remarks.add(effective(route, policy)));
		return remarks;
	}

	private static Remark neighbour(RouteDefinition route, String name, boolean strict) {
		String where = "Route '" + id(route) + "': filter '" + name + "' beside " + FILTER
				+ " resends, answers or cancels behind its back";
		if (strict) {
			throw new InvalidPolicyException(where + ", which preset strict does not accept; remove '" + name
					+ "', or choose preset standard or relaxed");
		}
		return Remark.warn(where + "; the policy's own retry.* and circuit-breaker.* do not");
	}

	private Remark effective(RouteDefinition route, IdempotencyPolicy policy) {
		return Remark.info("Route '" + id(route) + "': policy '" + policy.name() + "', preset "
				+ Printed.of(policy.preset()) + ", header " + policy.key().header() + ", methods "
				+ Printed.of(policy.key().methods().stream().sorted().toList()) + ", caller " + policy.scope().callers()
				+ ", ttl " + Printed.of(policy.retention().ttl()) + ", unknown "
				+ Printed.of(policy.outcomes().unknown()) + ", " + this.facts);
	}

	private Map<String, Object> arguments(FilterDefinition filter) {
		return SHORTCUT.shortcutType().normalize(filter.getArgs(), SHORTCUT, EXPRESSIONS, this.beans);
	}

	private static Stream<FilterDefinition> filters(RouteDefinition route, List<FilterDefinition> defaults) {
		return Stream.concat(defaults.stream(), route.getFilters().stream());
	}

	private static String id(RouteDefinition route) {
		return Printed.written(String.valueOf(route.getId()));
	}

}
