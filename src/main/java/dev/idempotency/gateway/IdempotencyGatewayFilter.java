package dev.idempotency.gateway;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

import dev.idempotency.core.Answer;
import dev.idempotency.core.Caller;
import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.KeyedRequest;
import dev.idempotency.core.Problem;
import dev.idempotency.core.RequestResult;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.upstream.BackendRequest;
import dev.idempotency.upstream.BodyBudget;
import dev.idempotency.upstream.UpstreamRoute;
import reactor.core.publisher.Mono;

/**
 * Identifies a request and hands it to the engine: method, key, caller, body, in this
 * order, and each of them may end it before a store hears of it.
 *
 * @since 0.1.0
 */
public final class IdempotencyGatewayFilter implements GatewayFilter, ProtectedRoutes.Filter {

	private final ProtectedRoute route;

	private final RequestIdentifier identifier;

	private final RequestBody body;

	private final Turn turn = new Turn(this);

	IdempotencyGatewayFilter(ProtectedRoute route) {
		this.route = route;
		this.identifier = new RequestIdentifier(route.policy());
		this.body = new RequestBody(route.policy().limits().maxRequestSize());
	}

	@Override
	public String routeId() {
		return this.route.id();
	}

	@Override
	public IdempotencyPolicy policy() {
		return this.route.policy();
	}

	@Override
	public @Nullable UpstreamRoute upstream() {
		return this.route.upstream();
	}

	@Override
	public @Nullable RouteJobs jobs() {
		return this.route.jobs();
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		if (!this.identifier.covers(request) || !this.turn.isMine(exchange) || !AnswerExchange.begin(exchange)) {
			return chain.filter(exchange);
		}
		PresentedKey found = this.identifier.key(request);
		if (found instanceof PresentedKey.Present key) {
			return this.identifier.caller(exchange).flatMap(caller -> withCaller(exchange, chain, key, caller));
		}
		if (found instanceof PresentedKey.Invalid invalid) {
			return refuse(exchange, Problem.KEY_INVALID, invalid.detail(), RequestResult.KEY_INVALID);
		}
		if (this.route.policy().key().required()) {
			return refuse(exchange, Problem.KEY_MISSING, missing(), RequestResult.KEY_MISSING);
		}
		this.route.events().counted(RequestResult.BYPASSED);
		this.route.events().bypassed(BypassReason.NO_KEY);
		return chain.filter(exchange);
	}

	private String missing() {
		return "The header " + this.route.policy().key().header() + " is required. " + Problem.KEY_MISSING.detail();
	}

	private Mono<Void> withCaller(ServerWebExchange exchange, GatewayFilterChain chain, PresentedKey.Present key,
			CallerResolution resolution) {
		if (resolution instanceof CallerResolution.Identified identified) {
			return withBody(exchange, chain, key, identified.caller());
		}
		String detail = ((CallerResolution.Unidentified) resolution).detail();
		return refuse(exchange, Problem.CALLER_UNIDENTIFIED, detail, RequestResult.CALLER_UNIDENTIFIED);
	}

	private Mono<Void> withBody(ServerWebExchange exchange, GatewayFilterChain chain, PresentedKey.Present key,
			Caller caller) {
		BodyBudget.Share share = this.route.budget().share();
		return this.body.read(exchange.getRequest(), share)
			.flatMap(bytes -> withAll(new BackendRequest(exchange, chain, bytes, key.key(), share), key, caller))
			.onErrorResume(RequestBody.UnreadException.class, error -> unread(error, exchange, key, caller))
			.doFinally(signal -> share.release());
	}

	private Mono<Void> unread(RequestBody.UnreadException error, ServerWebExchange exchange, PresentedKey.Present key,
			Caller caller) {
		if (error instanceof RequestBody.TooLargeException) {
			return refuse(exchange, Problem.REQUEST_TOO_LARGE, tooLarge(), RequestResult.REQUEST_TOO_LARGE);
		}
		return (error instanceof RequestBody.TooBusyException) ? tooBusy(exchange, key, caller) : Mono.empty();
	}

	/** Nothing is done now, but who knows what was done under this key before. */
	private Mono<Void> tooBusy(ServerWebExchange exchange, PresentedKey.Present key, Caller caller) {
		this.route.events().counted(RequestResult.TOO_BUSY);
		return this.route.store()
			.find(this.identifier.identity(exchange, key, caller))
			.map(known -> Answer.Effect.UNKNOWN)
			.defaultIfEmpty(Answer.Effect.NOT_APPLIED)
			.onErrorReturn(StoreUnavailableException.class, Answer.Effect.UNKNOWN)
			.flatMap(effect -> this.route.answers().tooBusy(exchange, effect));
	}

	private String tooLarge() {
		return "The body is larger than the " + this.route.policy().limits().maxRequestSize()
				+ " bytes that this route accepts.";
	}

	private Mono<Void> withAll(BackendRequest backend, PresentedKey.Present key, Caller caller) {
		ServerWebExchange exchange = backend.exchange();
		HttpHeaders headers = exchange.getRequest().getHeaders();
		WaitPreference wait = WaitPreference.of(headers, this.route.policy().waiting());
		RouteJobs jobs = this.route.jobs();
		if (jobs != null && AsyncPreference.makesJob(this.route.policy().jobs().async(), headers)) {
			CallbackHeader callback = CallbackHeader.of(headers, this.route.policy().jobs());
			return (callback instanceof CallbackHeader.Accepted accepted)
					? asJob(jobs, backend, key, caller, wait, accepted.uri())
					: refuse(exchange, Problem.CALLBACK_REFUSED, ((CallbackHeader.Refused) callback).detail(),
							RequestResult.CALLBACK_REFUSED);
		}
		KeyedRequest request = this.identifier.identify(exchange, backend.body(), key, caller, wait.patience());
		return answer(request, backend, key, wait,
				this.route.engine().handle(request, new UnclaimedRequest(backend, this.route.upstream())));
	}

	private Mono<Void> asJob(RouteJobs jobs, BackendRequest backend, PresentedKey.Present key, Caller caller,
			WaitPreference wait, @Nullable String callback) {
		KeyedRequest request = this.identifier.identify(backend.exchange(), backend.body(), key, caller,
				wait.asked() ? wait.patience() : Duration.ZERO);
		return answer(request, backend, key, wait,
				jobs.submit(request, caller, backend, callback, new UnclaimedRequest(backend, this.route.upstream())));
	}

	private Mono<Void> answer(KeyedRequest request, BackendRequest backend, PresentedKey.Present key,
			WaitPreference wait, Mono<Answer> answered) {
		return answered.doOnNext(answer -> this.route.events().decided(request.id(), answer))
			.flatMap(answer -> (answer instanceof Answer.Unprotected) ? forward(backend)
					: this.route.answers().write(backend.exchange(), answer, key, wait));
	}

	/** The store is away and the policy prefers an unprotected answer to none. */
	private Mono<Void> forward(BackendRequest backend) {
		this.route.events().counted(RequestResult.UNPROTECTED);
		this.route.events().bypassed(BypassReason.STORE_UNAVAILABLE);
		return PassThrough.marked(backend.exchange(), PassThrough.UNPROTECTED)
			.then(Mono.defer(() -> backend.chain().filter(PassThrough.withBody(backend.exchange(), backend.body()))));
	}

	private Mono<Void> refuse(ServerWebExchange exchange, Problem problem, String detail, RequestResult result) {
		this.route.events().counted(result);
		return this.route.answers().refuse(exchange, problem, detail);
	}

	@Override
	public String toString() {
		return "[Idempotency policy = " + this.route.policy().name() + "]";
	}

}
