package dev.idempotency.gateway;

import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

import dev.idempotency.core.Answer;
import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.EngineEvents;
import dev.idempotency.core.Problem;
import dev.idempotency.core.RequestResult;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Puts an answer on the client's response, fresh ones, replays and problems alike: status
 * and headers at once, the body for {@link IdempotencyWriteResponseFilter} to write.
 */
final class AnswerWriter {

	private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter
		.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private static final Duration SOON = Duration.ofSeconds(1);

	private static final List<String> EXPOSED = List.of(ResponseHeaderPolicy.REPLAYED, "Idempotency-Key",
			ResponseHeaderPolicy.STATUS, ResponseHeaderPolicy.OUTCOME, HttpHeaders.RETRY_AFTER, HttpHeaders.LOCATION);

	private static final Map<Problem, RequestResult> RESULTS = Map.of(Problem.IN_PROGRESS, RequestResult.IN_PROGRESS,
			Problem.KEY_REUSED, RequestResult.KEY_REUSED, Problem.OUTCOME_UNKNOWN, RequestResult.UNKNOWN_HELD,
			Problem.REPLAY_UNAVAILABLE, RequestResult.REPLAY_UNAVAILABLE, Problem.STORE_UNAVAILABLE,
			RequestResult.STORE_UNAVAILABLE, Problem.RECORD_UNREADABLE, RequestResult.RECORD_UNREADABLE,
			Problem.TOO_BUSY, RequestResult.TOO_BUSY, Problem.SHUTTING_DOWN, RequestResult.SHUTTING_DOWN);

	private final ProblemWriter problems;

	private final ReplayDecoding decoding;

	private final EngineEvents events;

	private final InstantSource clock;

	private final String jobsPath;

	AnswerWriter(ProblemWriter problems, ReplayDecoding decoding, EngineEvents events, InstantSource clock,
			String jobsPath) {
		this.problems = problems;
		this.decoding = decoding;
		this.events = events;
		this.clock = clock;
		this.jobsPath = jobsPath;
	}

	/** Puts the engine's answer on the response. */
	Mono<Void> write(ServerWebExchange exchange, Answer answer, PresentedKey.Present key, WaitPreference wait) {
		return Mono.fromRunnable(() -> {
			if (answer instanceof Answer.Accepted accepted) {
				put(exchange, accepted, key);
				preferenceApplied(exchange, wait);
				return;
			}
			if (answer instanceof Answer.Fresh fresh) {
				put(exchange, fresh.response(), key);
			}
			else if (answer instanceof Answer.InTime inTime) {
				put(exchange, this.decoding.fit(inTime.response(), exchange.getRequest().getHeaders()), key);
				preferenceApplied(exchange, wait);
			}
			else if (answer instanceof Answer.Stream stream) {
				put(exchange, stream, key);
			}
			else if (answer instanceof Answer.Replay replay) {
				put(exchange, replay, key);
				preferenceApplied(exchange, wait);
			}
			else if (answer instanceof Answer.Refused refused) {
				put(exchange, refused, key);
				preferenceApplied(exchange, wait);
			}
		});
	}

	/**
	 * Puts a problem on the response of a request that cannot be looked up, and whose
	 * body was not read to its end.
	 */
	Mono<Void> refuse(ServerWebExchange exchange, Problem problem, String detail) {
		Effect effect = (problem.status() == 400) ? Effect.NOT_APPLIED : Effect.UNKNOWN;
		return Mono.fromRunnable(() -> {
			Answer.Refused refused = new Answer.Refused(problem, effect, false, null);
			putProblem(exchange, this.problems.write(refused, path(exchange), detail), null);
			LingeringClose.prepare(exchange);
		});
	}

	/** Puts on the response that there is no room for the request now. */
	Mono<Void> tooBusy(ServerWebExchange exchange, Effect effect) {
		return Mono.fromRunnable(() -> {
			Answer.Refused refused = new Answer.Refused(Problem.TOO_BUSY, effect, true, SOON);
			putProblem(exchange, this.problems.write(refused, path(exchange)), null);
			LingeringClose.prepare(exchange);
		});
	}

	private void put(ServerWebExchange exchange, Answer.Replay replay, PresentedKey.Present key) {
		this.events.counted(replay.unknown() ? RequestResult.UNKNOWN_HELD : RequestResult.REPLAYED);
		put(exchange, this.decoding.fit(replay.response(), exchange.getRequest().getHeaders()), key);
		HttpHeaders headers = exchange.getResponse().getHeaders();
		headers.set(HttpHeaders.DATE, HTTP_DATE.format(this.clock.instant()));
		headers.set(ResponseHeaderPolicy.REPLAYED, "true");
		if (replay.unknown()) {
			headers.set(ResponseHeaderPolicy.OUTCOME, "unknown");
		}
	}

	/** 202, and where to ask (RFC 9110, section 15.3.3). */
	private void put(ServerWebExchange exchange, Answer.Accepted accepted, PresentedKey.Present key) {
		this.events.counted(accepted.replayed() ? RequestResult.REPLAYED : RequestResult.ACCEPTED);
		put(exchange, JobJson.accepted(accepted, this.jobsPath), key);
		HttpHeaders headers = exchange.getResponse().getHeaders();
		if (AsyncPreference.isAsked(exchange.getRequest().getHeaders())) {
			headers.add(WaitPreference.APPLIED, AsyncPreference.RESPOND_ASYNC);
		}
		if (accepted.replayed()) {
			headers.set(ResponseHeaderPolicy.REPLAYED, "true");
		}
	}

	private void put(ServerWebExchange exchange, Answer.Refused refused, PresentedKey.Present key) {
		Problem problem = refused.problem();
		RequestResult result = RESULTS.get(problem);
		if (result != null) {
			this.events.counted(result);
		}
		putProblem(exchange, this.problems.write(refused, path(exchange)), key);
		if (problem == Problem.SHUTTING_DOWN) {
			// The next request on this connection had better go to another instance.
			exchange.getResponse().getHeaders().set(HttpHeaders.CONNECTION, "close");
		}
	}

	/** What is already on the response was meant for a backend's answer. */
	private static void putProblem(ServerWebExchange exchange, StoredResponse problem,
			PresentedKey.@Nullable Present key) {
		problem.headers().forEach(header -> exchange.getResponse().getHeaders().remove(header.name()));
		put(exchange, problem, key);
	}

	private static void preferenceApplied(ServerWebExchange exchange, WaitPreference wait) {
		if (wait.asked()) {
			exchange.getResponse().getHeaders().add(WaitPreference.APPLIED, wait.applied());
		}
	}

	private static void put(ServerWebExchange exchange, Answer.Stream stream, PresentedKey.Present key) {
		putHead(exchange, stream.head(), key);
		DataBufferFactory buffers = exchange.getResponse().bufferFactory();
		AnswerExchange.put(exchange, new AnswerExchange.Body(stream.body().map(buffers::wrap), true));
	}

	private static void put(ServerWebExchange exchange, StoredResponse answer, PresentedKey.@Nullable Present key) {
		putHead(exchange, answer, key);
		ServerHttpResponse response = exchange.getResponse();
		byte[] body = (answer.body() != null) ? answer.body() : new byte[0];
		HttpHeaders headers = response.getHeaders();
		headers.remove(HttpHeaders.CONTENT_LENGTH);
		if (answer.status() == 204 || answer.status() == 304) {
			AnswerExchange.put(exchange, new AnswerExchange.Body(Flux.empty(), false));
			return;
		}
		headers.setContentLength(body.length);
		AnswerExchange.put(exchange, new AnswerExchange.Body(
				(body.length == 0) ? Flux.empty() : Flux.defer(() -> Flux.just(response.bufferFactory().wrap(body))),
				false));
	}

	private static void putHead(ServerWebExchange exchange, StoredResponse answer, PresentedKey.@Nullable Present key) {
		ServerHttpResponse response = exchange.getResponse();
		response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
		HttpHeaders headers = response.getHeaders();
		for (Header header : answer.headers()) {
			if (!header.name().startsWith(":")) {
				headers.add(header.name(), header.value());
			}
		}
		if (key != null) {
			headers.set(key.headerName(), key.raw());
		}
		typeForFiltersInFront(exchange, headers.getFirst(HttpHeaders.CONTENT_TYPE));
		expose(exchange.getRequest().getHeaders(), headers);
	}

	/** Gateway's own writer leaves it here for filters that decode the body. */
	private static void typeForFiltersInFront(ServerWebExchange exchange, @Nullable String type) {
		if (type != null) {
			exchange.getAttributes().put(ServerWebExchangeUtils.ORIGINAL_RESPONSE_CONTENT_TYPE_ATTR, type);
		}
	}

	/** Where CORS is in force, scripts may read what they need to retry rightly. */
	static void expose(HttpHeaders request, HttpHeaders response) {
		if (request.getOrigin() == null || !response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)) {
			return;
		}
		List<String> exposed = new java.util.ArrayList<>(response.getAccessControlExposeHeaders());
		if (!exposed.contains("*")) {
			EXPOSED.stream().filter(name -> exposed.stream().noneMatch(name::equalsIgnoreCase)).forEach(exposed::add);
			response.setAccessControlExposeHeaders(exposed);
		}
	}

	private static String path(ServerWebExchange exchange) {
		return RequestTarget.of(exchange).path();
	}

}
