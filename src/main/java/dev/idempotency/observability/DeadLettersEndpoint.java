package dev.idempotency.observability;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobId;
import dev.idempotency.core.JobStatus;
import dev.idempotency.core.Jobs;
import dev.idempotency.core.RecordUnreadableException;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.core.StoredResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What was given up, for somebody who decides about it: list, show, have it sent once
 * more, discard. It shows neither keys nor bodies; each decision is a line in the audit
 * log.
 *
 * @since 0.1.0
 */
@Endpoint(id = "idempotencydeadletters", defaultAccess = Access.READ_ONLY)
public class DeadLettersEndpoint {

	private static final Logger audit = LoggerFactory.getLogger("dev.idempotency.audit");

	private static final int USUAL_SIZE = 20;

	private static final int LARGEST_SIZE = 200;

	private static final int MOST_AT_ONCE = 1000;

	private static final int AT_A_TIME = 8;

	private static final String REDRIVE = "redrive";

	private static final String REDRIVEN = "redriven";

	private static final String UNREADABLE = "unreadable";

	private static final String LEFT = "left";

	private static final WebEndpointResponse<Map<String, Object>> NO_LETTER = OperatorsWord.answer(404,
			"there is no dead letter of this id");

	private static final WebEndpointResponse<Map<String, Object>> NO_REASON = OperatorsWord.answer(400,
			"reason is required: why this letter is discarded, for the audit log, as in ?reason=TEXT");

	private static final WebEndpointResponse<Map<String, Object>> BAD_ACTION = OperatorsWord.answer(400,
			"accepted actions: redrive");

	private final DeadLetters letters;

	private final Jobs jobs;

	private final JobObserver observer;

	/**
	 * For one instance.
	 * @param letters the letters
	 * @param jobs what can be done about them
	 * @param observer counts them anew after a decision
	 */
	public DeadLettersEndpoint(DeadLetters letters, Jobs jobs, JobObserver observer) {
		this.letters = letters;
		this.jobs = jobs;
		this.observer = observer;
	}

	/**
	 * Lists letters, the newest first.
	 * @param page from 0 on
	 * @param size letters on a page, {@value #USUAL_SIZE} unless said otherwise,
	 * {@value #LARGEST_SIZE} at most
	 * @param route of this route only
	 * @return 200 with the page, 400 for a page that cannot be, 503 if nobody can say
	 */
	@ReadOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> list(@Nullable Integer page, @Nullable Integer size,
			@Nullable String route) {
		int number = (page != null) ? page : 0;
		int length = (size != null) ? size : USUAL_SIZE;
		if (number < 0 || length < 1 || length > LARGEST_SIZE) {
			return Mono.just(OperatorsWord.answer(400, "page has to be 0 or more, size from 1 to " + LARGEST_SIZE));
		}
		return this.letters.list(route, (long) number * length, length).map(found -> {
			Map<String, Object> view = new LinkedHashMap<>();
			view.put("total", found.total());
			view.put("page", number);
			view.put("size", length);
			view.put("letters", found.letters().stream().map(DeadLettersEndpoint::view).toList());
			return new WebEndpointResponse<>(view);
		}).onErrorReturn(StoreUnavailableException.class, OperatorsWord.UNREACHABLE);
	}

	/**
	 * Shows one.
	 * @param id its id
	 * @return 200, 404 if there is none, 503 if nobody can say
	 */
	@ReadOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> show(@Selector String id) {
		return this.letters.find(id)
			.map(letter -> new WebEndpointResponse<>(view(letter)))
			.defaultIfEmpty(NO_LETTER)
			.onErrorReturn(StoreUnavailableException.class, OperatorsWord.UNREACHABLE);
	}

	/**
	 * Has one sent once more, under the same key. Where that was done before, or the job
	 * has ended otherwise, it shows how the job is, and does nothing.
	 * @param id its id
	 * @param action {@code redrive}
	 * @return 200 with the job's status, 400 for another action, 404 if there is neither
	 * letter nor job, 409 with the reason if nothing could be sent, 503 if nobody can say
	 */
	@WriteOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> redrive(@Selector String id, String action) {
		if (!action.equals(REDRIVE)) {
			return Mono.just(BAD_ACTION);
		}
		return this.letters.find(id)
			.flatMap(this::redrive)
			.switchIfEmpty(Mono.defer(() -> present(id)))
			.defaultIfEmpty(NO_LETTER)
			.onErrorResume(RecordUnreadableException.class,
					unreadable -> Mono.just(notRedriven(String.valueOf(unreadable.getMessage()))))
			.onErrorReturn(StoreUnavailableException.class, OperatorsWord.UNREACHABLE)
			.doOnNext(answer -> audit.info("{} of dead letter {}: {}", REDRIVE, name(id), answer.getStatus()));
	}

	/**
	 * Has many sent once more, {@value #MOST_AT_ONCE} at most.
	 * @param action {@code redrive}
	 * @param route of this route only
	 * @return 200 with their number, and that of those which cannot be read; 400 for
	 * another action, 503 if nobody can say
	 */
	@WriteOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> redriveMany(String action, @Nullable String route) {
		if (!action.equals(REDRIVE)) {
			return Mono.just(BAD_ACTION);
		}
		return this.letters.list(route, 0, MOST_AT_ONCE)
			.flatMapMany(page -> Flux.fromIterable(page.letters()))
			.flatMap(this::oneOfMany, AT_A_TIME)
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
			.doOnNext(counts -> this.observer.lettersChanged())
			.map(DeadLettersEndpoint::counts)
			.onErrorReturn(StoreUnavailableException.class, OperatorsWord.UNREACHABLE)
			.doOnNext(answer -> audit.info("{} of dead letters of {}: {}", REDRIVE,
					(route != null) ? "route " + printable(route) : "all routes", answer.getStatus()));
	}

	/** One that cannot be read must not keep the others. */
	private Mono<String> oneOfMany(DeadLetter letter) {
		return this.jobs.redrive(letter)
			.map(result -> result.done() ? REDRIVEN : LEFT)
			.onErrorReturn(RecordUnreadableException.class, UNREADABLE);
	}

	private static WebEndpointResponse<Map<String, Object>> counts(Map<String, Long> counts) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put(REDRIVEN, counts.getOrDefault(REDRIVEN, 0L));
		put(view, UNREADABLE, counts.get(UNREADABLE));
		return new WebEndpointResponse<>(view);
	}

	/**
	 * Discards one: the job stays as it is, and nobody is reminded of it any more.
	 * @param id its id
	 * @param reason for the audit log
	 * @return 200, 400 without a reason, 404 if there is none, 503 if nobody can say
	 */
	@DeleteOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> discard(@Selector String id, @Nullable String reason) {
		if (reason == null || reason.isBlank()) {
			return Mono.just(NO_REASON);
		}
		return this.letters.find(id)
			.flatMap(this.letters::remove)
			.filter(removed -> removed)
			.doOnNext(removed -> this.observer.lettersChanged())
			.map(removed -> OperatorsWord.answer(200, "discarded"))
			.defaultIfEmpty(NO_LETTER)
			.onErrorReturn(StoreUnavailableException.class, OperatorsWord.UNREACHABLE)
			.doOnNext(answer -> audit.info("discard of dead letter {}: {}, reason: {}", name(id), answer.getStatus(),
					printable(reason)));
	}

	private Mono<WebEndpointResponse<Map<String, Object>>> redrive(DeadLetter letter) {
		return this.jobs.redrive(letter)
			.doOnNext(result -> this.observer.lettersChanged())
			.map(result -> status(result.done(), result.record()));
	}

	private Mono<WebEndpointResponse<Map<String, Object>>> present(String id) {
		JobId job = JobId.parse(id);
		return (job != null) ? this.jobs.find(job).map(record -> status(false, record)) : Mono.empty();
	}

	private static WebEndpointResponse<Map<String, Object>> notRedriven(String why) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put(REDRIVEN, false);
		view.put("error", why);
		return new WebEndpointResponse<>(view, 409);
	}

	private static WebEndpointResponse<Map<String, Object>> status(boolean done, IdempotencyRecord record) {
		if (!done && JobStatus.of(record) == JobStatus.DEAD) {
			return notRedriven("the record has changed meanwhile, or its key belongs to another operation by now");
		}
		Map<String, Object> view = new LinkedHashMap<>();
		view.put(REDRIVEN, done);
		view.put("status", JobStatus.of(record).name());
		StoredResponse response = record.response();
		if (response != null && response.status() > 0) {
			view.put("answer", response.status());
		}
		return new WebEndpointResponse<>(view);
	}

	private static Map<String, Object> view(DeadLetter letter) {
		Job job = letter.job();
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("id", letter.id());
		view.put("kind", word(letter.kind()));
		view.put("job_id", job.id().toString());
		view.put("route", job.route());
		view.put("digest", job.id().recordId().digest());
		view.put("reason", (letter.kind() == DeadLetter.Kind.CALLBACK) ? "callback-failed"
				: (job.dead() != null) ? word(job.dead()) : "unknown");
		view.put("attempts", letter.attempts());
		put(view, "lastOutcome", letter.lastOutcome());
		put(view, "lastStatus", lastStatus(letter));
		view.put("time", letter.time().toString());
		view.put("age", Duration.between(letter.time(), Instant.now()).toSeconds());
		view.put("created", job.created().toString());
		put(view, "requestSize", (job.request() != null) ? job.request().body().length : null);
		put(view, UNREADABLE, letter.isReadable() ? null : true);
		return view;
	}

	/** A letter about a post is not about the answer of the backend. */
	private static @Nullable Integer lastStatus(DeadLetter letter) {
		StoredResponse response = letter.record().response();
		return (letter.kind() == DeadLetter.Kind.JOB && response != null && response.status() > 0) ? response.status()
				: null;
	}

	private static void put(Map<String, Object> view, String name, @Nullable Object value) {
		if (value != null) {
			view.put(name, value);
		}
	}

	/** The record's digest: a job's own name lets whoever reads it look at the job. */
	private static String name(String id) {
		JobId job = JobId.parse(id.endsWith(".callback") ? id.substring(0, id.length() - ".callback".length()) : id);
		return (job != null) ? job.recordId().digest() : "unknown";
	}

	private static String printable(String text) {
		return text.replaceAll("[^\\x20-\\x7e]", "?");
	}

	private static String word(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
