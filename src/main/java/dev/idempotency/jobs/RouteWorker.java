package dev.idempotency.jobs;

import java.time.Duration;
import java.time.Instant;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobQueue.Taken;
import dev.idempotency.core.JobRequest;
import dev.idempotency.core.JobServices;
import dev.idempotency.core.JobStatus;
import dev.idempotency.core.JobTicket;
import dev.idempotency.core.JobTurn;
import dev.idempotency.core.JobUpstream;
import dev.idempotency.gateway.ProtectedRoutes.JobRoute;
import reactor.core.publisher.Mono;

/**
 * Works on the jobs of one route. What follows the end of a job comes before its ticket
 * is disposed of, so that a worker that dies in between is replaced by one that does it
 * again: dead letter, word to the client, and only then the ticket.
 */
final class RouteWorker {

	/** A claim that was sent so long ago does not come any more. */
	private static final Duration GRACE = Duration.ofMinutes(10);

	private static final Duration FIRST_LOOK = Duration.ofMillis(100);

	private static final Duration LAST_LOOK = Duration.ofSeconds(30);

	private static final int DOUBLINGS = 10;

	private final JobRoute route;

	private final GatewayFilterChain behind;

	private final JobExchanges exchanges;

	private final JobServices services;

	private final JobEvents events;

	RouteWorker(JobRoute route, JobExchanges exchanges, JobServices services, JobEvents events) {
		this.route = route;
		this.behind = exchanges.behind(route);
		this.exchanges = exchanges;
		this.services = services;
		this.events = events;
	}

	Mono<Disposal> work(Taken taken) {
		return this.route.jobs().work().turn(taken.ticket().job(), this::backend).flatMap(turn -> follow(taken, turn));
	}

	private JobUpstream backend(Job job) {
		JobRequest kept = job.request();
		if (kept == null) {
			throw new IllegalStateException("a job without its request");
		}
		return this.route.upstream().ofJob(this.exchanges.request(kept, this.route.route(), this.behind));
	}

	private Mono<Disposal> follow(Taken taken, JobTurn turn) {
		if (turn instanceof JobTurn.Over over) {
			return ended(over.record()).thenReturn(new Disposal.Done());
		}
		if (turn instanceof JobTurn.Later later) {
			return Mono.just(new Disposal.Again(taken.ticket(), later.delay(), false));
		}
		if (turn instanceof JobTurn.HeldBack heldBack) {
			return Mono.just(new Disposal.Again(taken.ticket(), heldBack.delay(), true));
		}
		if (turn instanceof JobTurn.Missing) {
			return Mono.just(missing(taken.ticket()));
		}
		return Mono.just((turn instanceof JobTurn.Leave) ? new Disposal.Leave() : new Disposal.Done());
	}

	/** The claim may still be on its way, or was never made, or was withdrawn. */
	private Disposal missing(JobTicket ticket) {
		Instant now = this.services.clock().instant();
		if (ticket.since().plus(GRACE).isBefore(now)) {
			this.events.lost(this.route.filter().routeId(), ticket.job());
			return new Disposal.Done();
		}
		Duration pause = FIRST_LOOK.multipliedBy(1L << Math.min(ticket.tries(), DOUBLINGS));
		return new Disposal.Again(ticket.triedAgain(), (pause.compareTo(LAST_LOOK) < 0) ? pause : LAST_LOOK, false);
	}

	private Mono<Void> ended(IdempotencyRecord record) {
		Job job = record.job();
		if (job == null) {
			return Mono.empty();
		}
		JobStatus status = JobStatus.of(record);
		Mono<Void> letter = (status == JobStatus.DEAD) ? bury(record, job) : Mono.empty();
		return letter.then(Mono.defer(() -> callBack(job)))
			.doOnSuccess(nothing -> this.events.ended(job.route(), job.id(), status));
	}

	private Mono<Void> bury(IdempotencyRecord record, Job job) {
		Instant time = (job.ended() != null) ? job.ended() : job.created();
		return this.services.letters()
			.put(DeadLetter.ofJob(time, record))
			.doOnSuccess(nothing -> this.events.lettersChanged());
	}

	private Mono<Void> callBack(Job job) {
		if (job.callback() == null) {
			return Mono.empty();
		}
		String queue = JobServices.callbacks(job.route());
		return this.services.queue()
			.offer(queue, new JobTicket(job.id(), 0, this.services.clock().instant()), Duration.ZERO)
			.doOnSuccess(nothing -> this.services.signals().wake(queue));
	}

}
