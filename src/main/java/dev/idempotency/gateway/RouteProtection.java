package dev.idempotency.gateway;

import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilter;

import dev.idempotency.core.EngineServices;
import dev.idempotency.core.IdempotencyEngine;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.JobDesk;
import dev.idempotency.core.JobServices;
import dev.idempotency.core.JobWork;
import dev.idempotency.upstream.BodyBudget;
import dev.idempotency.upstream.UpstreamRoute;
import dev.idempotency.upstream.UpstreamRoutes;
import dev.idempotency.upstream.UpstreamServices;

/**
 * Puts together what works for one route.
 *
 * @since 0.1.0
 */
public final class RouteProtection implements IdempotencyGatewayFilterFactory.RouteFilters {

	/** A gzip answer within the size of a record may unpack to this much and no more. */
	static final int MAX_UNPACKED = 16 << 20;

	private final Policies policies;

	private final EngineServices engineServices;

	private final UpstreamServices upstreamServices;

	private final UpstreamRoutes upstreamRoutes;

	private final @Nullable JobServices jobServices;

	private final AnswerSettings settings;

	private final BodyBudget budget;

	private final Function<String, RouteEvents> events;

	/**
	 * For all routes of an instance.
	 * @param policies validates and lays over one another
	 * @param engineServices shared by all engines
	 * @param upstreamServices shared by all backend sides
	 * @param upstreamRoutes keeps backend sides across refreshes
	 * @param jobServices shared by the jobs of all routes; {@code null} where the store
	 * keeps none
	 * @param settings of the answers
	 * @param budget bounds the bodies held
	 * @param events listener of a route, by its id
	 */
	public RouteProtection(Policies policies, EngineServices engineServices, UpstreamServices upstreamServices,
			UpstreamRoutes upstreamRoutes, @Nullable JobServices jobServices, AnswerSettings settings,
			BodyBudget budget, Function<String, RouteEvents> events) {
		this.policies = policies;
		this.engineServices = engineServices;
		this.upstreamServices = upstreamServices;
		this.upstreamRoutes = upstreamRoutes;
		this.jobServices = jobServices;
		this.settings = settings;
		this.budget = budget;
		this.events = events;
	}

	@Override
	public GatewayFilter filterFor(String routeId, IdempotencyGatewayFilterFactory.Config arguments) {
		IdempotencyPolicy policy = this.policies.policyFor(routeId, arguments);
		RouteEvents listener = this.events.apply(routeId);
		if (policy.mode() == IdempotencyPolicy.Mode.OBSERVE) {
			return new ObservingGatewayFilter(routeId, policy, this.engineServices.store(), this.budget, listener);
		}
		BackendAnswerRules answers = new BackendAnswerRules(
				new ResponseHeaderPolicy(IdempotencyKeyParser.names(policy.key()), this.settings.droppedFromRecord()),
				policy.noStore());
		Supplier<UpstreamRoute> fresh = () -> new UpstreamRoute(routeId, policy, this.upstreamServices, answers,
				listener);
		UpstreamRoute upstream = isNamed(routeId) ? this.upstreamRoutes.get(routeId, policy, fresh) : fresh.get();
		IdempotencyEngine engine = new IdempotencyEngine(policy, this.engineServices, listener);
		return new IdempotencyGatewayFilter(new ProtectedRoute(routeId, policy, engine, this.engineServices.store(),
				upstream, writer(listener), this.budget, listener, jobs(routeId, policy, engine, listener)));
	}

	private @Nullable RouteJobs jobs(String routeId, IdempotencyPolicy policy, IdempotencyEngine engine,
			RouteEvents listener) {
		if (policy.jobs().async() == IdempotencyPolicy.Async.OFF) {
			return null;
		}
		if (this.jobServices == null || !isNamed(routeId)) {
			throw new IllegalStateException("Route '" + routeId
					+ "', field 'async': jobs need a route with an id and a "
					+ "store that has queues for them, as memory, redis, postgres and tiered have; or async: off");
		}
		return new RouteJobs(routeId, policy.jobs(),
				new JobDesk(policy, engine, this.engineServices, this.jobServices, listener),
				new JobWork(policy, this.engineServices, this.jobServices, listener), this.jobServices);
	}

	/**
	 * Routes without a name must not share a circuit breaker. They are built once, so
	 * that there is nothing to keep across refreshes.
	 */
	private static boolean isNamed(String routeId) {
		return !routeId.equals(IdempotencyGatewayFilterFactory.UNNAMED);
	}

	private AnswerWriter writer(RouteEvents listener) {
		ProblemWriter problems = new ProblemWriter(this.settings.problemBase(), this.settings.documentation());
		return new AnswerWriter(problems, new ReplayDecoding(MAX_UNPACKED), listener, this.upstreamServices.clock(),
				this.settings.jobsPath());
	}

	/** Knows the effective policy of a route. */
	@FunctionalInterface
	public interface Policies {

		/**
		 * The effective policy.
		 * @param routeId the route's id
		 * @param arguments the filter's arguments, {@code policy} among them
		 * @return the policy
		 * @throws RuntimeException with one line for the operator if there is none
		 */
		IdempotencyPolicy policyFor(String routeId, Map<String, String> arguments);

	}

}
