package dev.idempotency.upstream;

import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import org.springframework.http.HttpHeaders;

import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.JobUpstream;
import dev.idempotency.core.Upstream;

/**
 * The backend side of one route: its rules and what its operations share, from the
 * circuit breaker to the budget of resends. It outlives refreshes of the routes.
 *
 * @since 0.1.0
 */
public final class UpstreamRoute {

	/** Of gRPC all variants, of the others exactly these. */
	private static final Pattern STREAMS = Pattern
		.compile("(?i)(text/event-stream|application/x-ndjson)\\s*(;.*)?|application/grpc.*");

	private final IdempotencyPolicy policy;

	private final UpstreamServices services;

	private final AnswerRules answers;

	private final UpstreamEvents events;

	private final OutcomeClassifier classifier;

	private final Circuit circuit;

	private final RetryBudget budget;

	private final Retry retry;

	private final ResendRule rule;

	private final Semaphore inFlight;

	private final Semaphore late;

	/**
	 * For one route.
	 * @param id the route's id
	 * @param policy its rules
	 * @param services what all routes share
	 * @param answers what of an answer goes where
	 * @param events told of each attempt
	 */
	public UpstreamRoute(String id, IdempotencyPolicy policy, UpstreamServices services, AnswerRules answers,
			UpstreamEvents events) {
		this.policy = policy;
		this.services = services;
		this.answers = answers;
		this.events = events;
		this.classifier = new OutcomeClassifier(policy.outcomes(), answers, services.clock());
		this.circuit = new Circuit(id, policy.circuitBreaker(), services.nanoClock());
		this.budget = new RetryBudget(policy.retry().budget(), services.nanoClock());
		this.rule = new ResendRule(policy, services.clock());
		this.retry = Retry.of(id, resendsAsTheStepSays());
		this.inFlight = new Semaphore(policy.limits().maxInFlight());
		this.late = new Semaphore(policy.limits().lateAnswerMax());
	}

	/**
	 * The backend of one request.
	 * @param request what to send
	 * @return to be carried out once, if the key is won
	 */
	public Upstream of(BackendRequest request) {
		return new BackendOperation(request, this);
	}

	/**
	 * The backend of one attempt at a job.
	 * @param request what to send
	 * @return to be carried out once, if the job is won
	 */
	public JobUpstream ofJob(BackendRequest request) {
		return new JobOperation(request, this);
	}

	/** Operations of the route that run now. */
	public int inFlight() {
		return this.policy.limits().maxInFlight() - this.inFlight.availablePermits();
	}

	/** Attempts that are kept beyond their timeout now. */
	public int lateAttempts() {
		return this.policy.limits().lateAnswerMax() - this.late.availablePermits();
	}

	/** The circuit breaker's state in the words of resilience4j. */
	public String circuitState() {
		return this.circuit.state();
	}

	/**
	 * The decision is made where all is known of the operation; resilience4j keeps it.
	 */
	private static RetryConfig resendsAsTheStepSays() {
		return RetryConfig.<Step>custom()
			.maxAttempts(Integer.MAX_VALUE)
			.retryOnResult(Step::resend)
			.retryOnException(error -> false)
			.intervalBiFunction((attempt, result) -> result.fold(error -> 0L, step -> step.pause().toMillis()))
			.build();
	}

	AnswerBody.Terms terms(HttpHeaders headers, BodyBudget.Share share) {
		String type = headers.getFirst(HttpHeaders.CONTENT_TYPE);
		boolean streams = type != null && STREAMS.matcher(type).matches();
		return new AnswerBody.Terms(streams, this.policy.limits().maxResponseSize(), this.policy.limits().timeout(),
				this.policy.limits().lateAnswer(), share, this.services.scheduler());
	}

	ResendRule rule() {
		return this.rule;
	}

	IdempotencyPolicy policy() {
		return this.policy;
	}

	UpstreamServices services() {
		return this.services;
	}

	AnswerRules answers() {
		return this.answers;
	}

	UpstreamEvents events() {
		return this.events;
	}

	OutcomeClassifier classifier() {
		return this.classifier;
	}

	Circuit circuit() {
		return this.circuit;
	}

	RetryBudget budget() {
		return this.budget;
	}

	Retry retry() {
		return this.retry;
	}

	Semaphore inFlightSlots() {
		return this.inFlight;
	}

	Semaphore lateSlots() {
		return this.late;
	}

}
