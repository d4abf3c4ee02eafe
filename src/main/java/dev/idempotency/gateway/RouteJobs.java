package dev.idempotency.gateway;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

import dev.idempotency.core.Answer;
import dev.idempotency.core.Caller;
import dev.idempotency.core.IdempotencyPolicy.JobRules;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobDesk;
import dev.idempotency.core.JobId;
import dev.idempotency.core.JobOwner;
import dev.idempotency.core.JobRequest;
import dev.idempotency.core.JobServices;
import dev.idempotency.core.JobWork;
import dev.idempotency.core.KeyedRequest;
import dev.idempotency.core.StoredResponse.Header;
import dev.idempotency.core.Upstream;
import dev.idempotency.upstream.BackendRequest;
import reactor.core.publisher.Mono;

/**
 * The jobs of one route: makes them of requests, and has what works on them.
 *
 * @since 0.1.0
 */
public final class RouteJobs {

	private final String routeId;

	private final JobRules rules;

	private final JobDesk desk;

	private final JobWork work;

	private final JobServices services;

	RouteJobs(String routeId, JobRules rules, JobDesk desk, JobWork work, JobServices services) {
		this.routeId = routeId;
		this.rules = rules;
		this.desk = desk;
		this.work = work;
		this.services = services;
	}

	/** Carries them out. */
	public JobWork work() {
		return this.work;
	}

	/** What holds for them. */
	public JobRules rules() {
		return this.rules;
	}

	Mono<Answer> submit(KeyedRequest request, Caller caller, BackendRequest backend, @Nullable String callback,
			Upstream upstream) {
		JobId id = JobId.random(request.id());
		Instant now = this.services.clock().instant();
		Job job = Job.accepted(id, this.routeId, JobOwner.of(caller, id), now, callback, kept(backend));
		return this.desk.submit(request, job, upstream);
	}

	/** All that an attempt needs which is made by another gateway, in an hour. */
	private static JobRequest kept(BackendRequest backend) {
		ServerWebExchange exchange = backend.exchange();
		ServerHttpRequest request = exchange.getRequest();
		String remote = (request.getRemoteAddress() != null && request.getRemoteAddress().getAddress() != null)
				? request.getRemoteAddress().getAddress().getHostAddress() + " " + request.getRemoteAddress().getPort()
				: null;
		Map<String, String> variables = new LinkedHashMap<>();
		ServerWebExchangeUtils.getUriTemplateVariables(exchange)
			.forEach((name, value) -> variables.put(name, String.valueOf(value)));
		return new JobRequest(request.getMethod().name(), request.getURI().toString(), lines(request.getHeaders()),
				backend.body(), remote, variables, backend.key().value());
	}

	/** What the gateway itself has met is no preference any more. */
	private static List<Header> lines(HttpHeaders headers) {
		List<Header> lines = new ArrayList<>();
		headers.forEach((name, values) -> {
			if (name.equalsIgnoreCase(WaitPreference.PREFER)) {
				AsyncPreference.forBackend(headers).forEach((value) -> lines.add(new Header(name, value)));
			}
			else if (!name.equalsIgnoreCase(CallbackHeader.NAME)) {
				values.forEach((value) -> lines.add(new Header(name, value)));
			}
		});
		return lines;
	}

}
