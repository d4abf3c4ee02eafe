package dev.idempotency.gateway;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;
import org.springframework.cloud.gateway.support.HasRouteId;

/**
 * Makes the filter that a route names: {@code - Idempotency},
 * {@code - Idempotency=payments}, or the long form with single fields of the policy
 * overridden.
 *
 * @since 0.1.0
 */
public class IdempotencyGatewayFilterFactory
		extends AbstractGatewayFilterFactory<IdempotencyGatewayFilterFactory.Config> {

	/** Argument that names the policy. */
	public static final String POLICY_KEY = "policy";

	/** Stands for the id of a route that was built in code and did not say it. */
	static final String UNNAMED = "unnamed";

	private final RouteFilters filters;

	/**
	 * With what makes a filter of a route's id and its arguments.
	 * @param filters validates the arguments
	 */
	public IdempotencyGatewayFilterFactory(RouteFilters filters) {
		super(Config.class);
		this.filters = filters;
	}

	@Override
	public List<String> shortcutFieldOrder() {
		return List.of(POLICY_KEY);
	}

	@Override
	public GatewayFilter apply(Config config) {
		return this.filters.filterFor(Objects.requireNonNullElse(config.getRouteId(), UNNAMED), config);
	}

	/** Makes the filter of one route. */
	@FunctionalInterface
	public interface RouteFilters {

		/**
		 * Makes the filter of one route.
		 * @param routeId the route's id
		 * @param arguments the filter's arguments, nested ones with dots in their names
		 * @return the filter
		 * @throws RuntimeException with one line that names route, field and accepted
		 * values, if an argument or the policy cannot be used
		 */
		GatewayFilter filterFor(String routeId, Config arguments);

	}

	/**
	 * The filter's arguments as they are written. They are checked field by field against
	 * the fields of a policy, so that none is ignored in silence.
	 */
	public static class Config extends LinkedHashMap<String, String> implements HasRouteId {

		private static final long serialVersionUID = 1L;

		private transient @Nullable String routeId;

		@Override
		public void setRouteId(String routeId) {
			this.routeId = routeId;
		}

		@Override
		public @Nullable String getRouteId() {
			return this.routeId;
		}

	}

}
