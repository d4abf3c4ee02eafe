package dev.idempotency.gateway;

import dev.idempotency.core.Caller;
import dev.idempotency.core.EngineEvents;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RequestResult;
import dev.idempotency.upstream.BodyBudget;
import dev.idempotency.upstream.UpstreamRoute;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/**
 * Watches without acting, for the first roll-out: everything is forwarded as if it were
 * not there, nobody waits for a store, and what would have happened is counted. Its
 * records are kept apart, so that a policy which acts later begins with none.
 */
final class ObservingGatewayFilter implements GatewayFilter, ProtectedRoutes.Filter {

	private final String routeId;

	private final IdempotencyPolicy policy;

	private final RequestIdentifier identifier;

	private final IdempotencyStore store;

	private final BodyBudget budget;

	private final EngineEvents events;

	private final Turn turn = new Turn(this);

	ObservingGatewayFilter(String routeId, IdempotencyPolicy policy, IdempotencyStore store, BodyBudget budget,
			EngineEvents events) {
		this.routeId = routeId;
		this.policy = policy;
		this.identifier = new RequestIdentifier(policy, namespace(policy));
		this.store = store;
		this.budget = budget;
		this.events = events;
	}

	static String namespace(IdempotencyPolicy policy) {
		return "observed/" + policy.scope().namespace();
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		if (!this.identifier.covers(request) || !this.turn.isMine(exchange)) {
			return chain.filter(exchange);
		}
		PresentedKey found = this.identifier.key(request);
		if (found instanceof PresentedKey.Present key) {
			return this.identifier.caller(exchange).flatMap(caller -> observe(exchange, chain, key, caller));
		}
		this.events.counted((found instanceof PresentedKey.Invalid) ? RequestResult.OBSERVED_INVALID
				: RequestResult.OBSERVED_MISSING);
		return chain.filter(exchange);
	}

	private Mono<Void> observe(ServerWebExchange exchange, GatewayFilterChain chain, PresentedKey.Present key,
			CallerResolution resolution) {
		if (resolution instanceof CallerResolution.Identified identified) {
			return observe(exchange, chain, key, identified.caller());
		}
		this.events.counted(RequestResult.OBSERVED_INVALID);
		return chain.filter(exchange);
	}

	private Mono<Void> observe(ServerWebExchange exchange, GatewayFilterChain chain, PresentedKey.Present key,
			Caller caller) {
		BodyBudget.Share share = this.budget.share();
		Observation observation = new Observation(this.policy, this.store, this.events,
				() -> this.identifier.identity(exchange, key, caller),
				body -> this.identifier.identify(exchange, body, key, caller, Duration.ZERO));
		TeedRequest teed = new TeedRequest(exchange.getRequest(), this.policy.limits().maxRequestSize(), share,
				observation);
		return chain.filter(exchange.mutate().request(teed).build())
			.doOnSuccess(done -> observation.answered(exchange.getResponse().getStatusCode()))
			.doOnError(error -> observation.brokenOff())
			.doOnCancel(observation::brokenOff)
			.doFinally(signal -> {
				teed.over();
				share.release();
			});
	}

	@Override
	public String routeId() {
		return this.routeId;
	}

	@Override
	public IdempotencyPolicy policy() {
		return this.policy;
	}

	@Override
	public @Nullable UpstreamRoute upstream() {
		return null;
	}

	@Override
	public String toString() {
		return "[Idempotency observes policy = " + this.policy.name() + "]";
	}

}
