package dev.idempotency.jobs;

import java.time.Duration;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.IdempotencyPolicy.JobRules;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobQueue.Taken;
import dev.idempotency.core.JobServices;
import dev.idempotency.core.JobStatus;
import dev.idempotency.core.Jobs;
import reactor.core.publisher.Mono;

/**
 * Posts the ends of the jobs of one route, again after a pause where that fails, and puts
 * them among the dead letters when it has failed often enough.
 */
final class CallbackWorker {

	private static final Duration SOON = Duration.ofSeconds(1);

	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

	private static final int DOUBLINGS = 20;

	private final String route;

	private final JobRules rules;

	private final Jobs jobs;

	private final JobServices services;

	private final CallbackPost post;

	private final CallbackSettings settings;

	private final JobEvents events;

	CallbackWorker(String route, JobRules rules, Jobs jobs, JobServices services, CallbackPost post,
			CallbackSettings settings, JobEvents events) {
		this.route = route;
		this.rules = rules;
		this.jobs = jobs;
		this.services = services;
		this.post = post;
		this.settings = settings;
		this.events = events;
	}

	Mono<Disposal> work(Taken taken) {
		return this.jobs.find(taken.ticket().job())
			.flatMap(record -> work(taken, record))
			.defaultIfEmpty(new Disposal.Done());
	}

	private Mono<Disposal> work(Taken taken, IdempotencyRecord record) {
		Job job = record.job();
		if (job == null || job.callback() == null) {
			return Mono.just(new Disposal.Done());
		}
		if (!JobStatus.of(record).isFinal()) {
			return Mono.just(new Disposal.Again(taken.ticket(), SOON, false));
		}
		return this.post.post(job.callback(), record, job, this.rules)
			.flatMap(result -> follow(taken, record, job, result));
	}

	private Mono<Disposal> follow(Taken taken, IdempotencyRecord record, Job job, CallbackPost.Result result) {
		if (result instanceof CallbackPost.Result.Delivered) {
			this.events.posted(this.route, job.id());
			return Mono.just(new Disposal.Done());
		}
		CallbackPost.Result.Failed failed = (CallbackPost.Result.Failed) result;
		this.events.notPosted(this.route, job.id(), failed.why());
		int tries = taken.ticket().tries() + 1;
		if (!failed.worthAnother() || tries >= this.settings.maxAttempts()) {
			return this.services.letters()
				.put(DeadLetter.ofCallback(this.services.clock().instant(), record, tries, failed.why()))
				.doOnSuccess(nothing -> this.events.lettersChanged())
				.thenReturn(new Disposal.Done());
		}
		return Mono.just(new Disposal.Again(taken.ticket().triedAgain(), pause(tries), false));
	}

	private Duration pause(int tries) {
		Duration pause = this.settings.backoff().multipliedBy(1L << Math.min(tries - 1, DOUBLINGS));
		return (pause.compareTo(LONGEST_PAUSE) < 0) ? pause : LONGEST_PAUSE;
	}

}
