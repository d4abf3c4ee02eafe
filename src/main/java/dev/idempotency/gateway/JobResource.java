package dev.idempotency.gateway;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

import dev.idempotency.core.Answer;
import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.Caller;
import dev.idempotency.core.IdempotencyPolicy.CallerSource;
import dev.idempotency.core.IdempotencyPolicy.Scope;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobId;
import dev.idempotency.core.JobOwner;
import dev.idempotency.core.JobStatus;
import dev.idempotency.core.Jobs;
import dev.idempotency.core.Problem;
import dev.idempotency.core.RecordUnreadableException;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.springframework.web.reactive.function.server.RequestPredicates.methods;
import static org.springframework.web.reactive.function.server.RequestPredicates.path;

/**
 * Where clients look at their jobs: {@code GET} on a job, {@code GET} on its result,
 * {@code DELETE} to take it back, and 405 for whatever else. To anybody but the caller
 * who submitted it a job is not there.
 *
 * @since 0.1.0
 */
public final class JobResource {

	private static final Duration SOON = Duration.ofSeconds(1);

	/** For a route that is not there any more. */
	private static final Duration USUAL_TTL = Duration.ofHours(24);

	private static final Header NO_STORE = new Header(HttpHeaders.CACHE_CONTROL, "no-store");

	private final Jobs jobs;

	private final ProtectedRoutes routes;

	private final ProblemWriter problems;

	private final ReplayDecoding decoding = new ReplayDecoding(RouteProtection.MAX_UNPACKED);

	private final String path;

	private JobResource(Jobs jobs, ProtectedRoutes routes, AnswerSettings settings) {
		this.jobs = jobs;
		this.routes = routes;
		this.problems = new ProblemWriter(settings.problemBase(), settings.documentation());
		this.path = settings.jobsPath();
	}

	/**
	 * The resource as an endpoint.
	 * @param jobs looks them up
	 * @param routes know how long a cancelled job is remembered
	 * @param settings of the answers
	 * @return to be put before the gateway's routes
	 */
	public static RouterFunction<ServerResponse> router(Jobs jobs, ProtectedRoutes routes, AnswerSettings settings) {
		JobResource resource = new JobResource(jobs, routes, settings);
		String job = settings.jobsPath() + "/{id}";
		String result = job + "/result";
		return RouterFunctions.route()
			.route(methods(HttpMethod.GET, HttpMethod.HEAD).and(path(job)), resource::show)
			.route(methods(HttpMethod.GET, HttpMethod.HEAD).and(path(result)), resource::result)
			.DELETE(job, resource::cancel)
			.route(path(job), (request) -> resource.notAllowed(request, "GET, HEAD, DELETE"))
			.route(path(result), (request) -> resource.notAllowed(request, "GET, HEAD"))
			.build();
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		return owned(request, this::page);
	}

	private Mono<ServerResponse> page(IdempotencyRecord record, Job job) {
		List<Header> headers = JobStatus.of(record).isFinal()
				? List.of(new Header("Content-Type", "application/json"), NO_STORE)
				: List.of(new Header("Content-Type", "application/json"), NO_STORE,
						new Header(HttpHeaders.RETRY_AFTER, Long.toString(SOON.toSeconds())));
		return written(new StoredResponse(200, headers, JobJson.page(record, job, this.path + "/" + job.id())));
	}

	private Mono<ServerResponse> result(ServerRequest request) {
		return owned(request, (record, job) -> {
			StoredResponse response = record.response();
			if (!JobStatus.of(record).isFinal()) {
				return problem(request, Problem.IN_PROGRESS, Effect.UNKNOWN, SOON);
			}
			if (response == null || !response.isReplayable()) {
				return withoutAnswer(request, record);
			}
			StoredResponse fit = this.decoding.fit(response, request.headers().asHttpHeaders());
			return written(fit,
					(record.state() == State.UNKNOWN) ? new Header(ResponseHeaderPolicy.OUTCOME, "unknown") : null);
		});
	}

	private Mono<ServerResponse> withoutAnswer(ServerRequest request, IdempotencyRecord record) {
		return switch (record.state()) {
			case CANCELLED -> problem(request, Problem.JOB_CANCELLED, Effect.NOT_APPLIED, null);
			case FAILED -> problem(request, Problem.REPLAY_UNAVAILABLE, Effect.NOT_APPLIED, null);
			case UNKNOWN -> problem(request, Problem.OUTCOME_UNKNOWN, Effect.UNKNOWN, null);
			default -> problem(request, Problem.REPLAY_UNAVAILABLE,
					(JobStatus.of(record) == JobStatus.SUCCEEDED) ? Effect.APPLIED : Effect.NOT_APPLIED, null);
		};
	}

	private Mono<ServerResponse> cancel(ServerRequest request) {
		return owned(request,
				(record, job) -> ttl(job.route()).flatMap((ttl) -> this.jobs.cancel(job.id(), ttl))
					.flatMap((cancelled) -> cancelled ? written(new StoredResponse(204, List.of(NO_STORE), null))
							: problem(request, Problem.JOB_NOT_CANCELLABLE, Effect.UNKNOWN, null)));
	}

	/** The same for jobs that are there and for those that are not. */
	private Mono<ServerResponse> notAllowed(ServerRequest request, String allowed) {
		StoredResponse refused = this.problems.write(
				new Answer.Refused(Problem.METHOD_NOT_ALLOWED, Effect.UNKNOWN, false, null),
				RequestTarget.of(request.exchange()).path());
		return written(refused, new Header(HttpHeaders.ALLOW, allowed));
	}

	private Mono<Duration> ttl(String route) {
		return this.routes.current()
			.filter((filter) -> filter.routeId().equals(route))
			.next()
			.map((filter) -> filter.policy().retention().ttl())
			.defaultIfEmpty(USUAL_TTL);
	}

	private Mono<ServerResponse> owned(ServerRequest request,
			BiFunction<IdempotencyRecord, Job, Mono<ServerResponse>> then) {
		JobId id = JobId.parse(request.pathVariable("id"));
		Mono<ServerResponse> found = (id == null) ? Mono.empty()
				: this.jobs.find(id).flatMap((record) -> ifOwned(request, record, then));
		return found.switchIfEmpty(Mono.defer(() -> problem(request, Problem.JOB_UNKNOWN, Effect.UNKNOWN, null)))
			.onErrorResume(RecordUnreadableException.class,
					(unreadable) -> problem(request, Problem.RECORD_UNREADABLE, Effect.UNKNOWN, null))
			.onErrorResume(StoreUnavailableException.class,
					(away) -> problem(request, Problem.STORE_UNAVAILABLE, Effect.UNKNOWN, SOON));
	}

	private Mono<ServerResponse> ifOwned(ServerRequest request, IdempotencyRecord record,
			BiFunction<IdempotencyRecord, Job, Mono<ServerResponse>> then) {
		Job job = record.job();
		if (job == null) {
			return Mono.empty();
		}
		return caller(request, job.owner()).filter((caller) -> job.owner().is(caller, job.id()))
			.flatMap((caller) -> then.apply(record, job));
	}

	/** By the one source that identified the caller when he submitted it. */
	private static Mono<Caller> caller(ServerRequest request, JobOwner owner) {
		CallerSource source = CallerResolver.source(owner.source());
		if (source == null) {
			return Mono.just(Caller.ANONYMOUS);
		}
		return new CallerResolver(new Scope(List.of(source), false, "")).resolve(request.exchange())
			.ofType(CallerResolution.Identified.class)
			.map(CallerResolution.Identified::caller);
	}

	private Mono<ServerResponse> problem(ServerRequest request, Problem problem, Effect effect,
			@Nullable Duration retryAfter) {
		boolean retryable = problem == Problem.IN_PROGRESS || problem == Problem.STORE_UNAVAILABLE
				|| problem == Problem.RECORD_UNREADABLE;
		return written(this.problems.write(new Answer.Refused(problem, effect, retryable, retryAfter),
				RequestTarget.of(request.exchange()).path()));
	}

	private static Mono<ServerResponse> written(StoredResponse answer) {
		return written(answer, null);
	}

	/** Octet by octet: no codec adds a type that the backend did not say. */
	private static Mono<ServerResponse> written(StoredResponse answer, @Nullable Header mark) {
		byte[] body = (answer.body() != null) ? answer.body() : new byte[0];
		return ServerResponse.status(answer.status()).headers((headers) -> {
			answer.headers().forEach((header) -> headers.add(header.name(), header.value()));
			if (mark != null) {
				headers.set(mark.name(), mark.value());
			}
			if (answer.status() != 204 && answer.status() != 304) {
				headers.setContentLength(body.length);
			}
		})
			.build((exchange, context) -> exchange.getResponse()
				.writeWith((body.length == 0) ? Flux.empty()
						: Mono.fromSupplier(() -> exchange.getResponse().bufferFactory().wrap(body))));
	}

}
