package dev.idempotency.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

import dev.idempotency.core.JobServices;
import dev.idempotency.core.Jobs;
import dev.idempotency.gateway.ProtectedRoutes;
import dev.idempotency.gateway.ProtectedRoutes.JobRoute;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Keeps a worker for the jobs of each route, and one for their callbacks, as the routes
 * come and go.
 *
 * @since 0.1.0
 */
public final class JobWorkers implements SmartLifecycle {

	private static final Duration LOOK_AT_ROUTES = Duration.ofSeconds(1);

	private static final Duration LEAST_HOLD = Duration.ofSeconds(2);

	private static final int POSTS_AT_ONCE = 8;

	private final ProtectedRoutes routes;

	private final JobExchanges exchanges;

	private final Jobs jobs;

	private final JobServices services;

	private final CallbackPost post;

	private final CallbackSettings callbacks;

	private final Scheduler scheduler;

	private final JobEvents events;

	private final Map<String, Pair> pairs = new HashMap<>();

	private @Nullable Disposable looking;

	/**
	 * Not yet at work.
	 * @param routes known now
	 * @param exchanges make requests of what was kept
	 * @param jobs by their names
	 * @param services shared by all jobs
	 * @param post posts their ends
	 * @param callbacks how
	 * @param scheduler for pauses
	 * @param events told of what happens
	 */
	public JobWorkers(ProtectedRoutes routes, JobExchanges exchanges, Jobs jobs, JobServices services,
			CallbackPost post, CallbackSettings callbacks, Scheduler scheduler, JobEvents events) {
		this.routes = routes;
		this.exchanges = exchanges;
		this.jobs = jobs;
		this.services = services;
		this.post = post;
		this.callbacks = callbacks;
		this.scheduler = scheduler;
		this.events = events;
	}

	@Override
	public synchronized void start() {
		if (this.looking == null) {
			this.looking = this.scheduler.schedulePeriodically(this::look, 0, LOOK_AT_ROUTES.toMillis(),
					TimeUnit.MILLISECONDS);
		}
	}

	@Override
	public synchronized void stop() {
		if (this.looking != null) {
			this.looking.dispose();
			this.looking = null;
		}
		this.pairs.values().forEach(this::end);
		this.pairs.clear();
	}

	@Override
	public synchronized boolean isRunning() {
		return this.looking != null;
	}

	private void look() {
		this.routes.ofJobs().collectList().subscribe(this::adapt, failure -> this.events.defect("", failure));
	}

	private synchronized void adapt(List<JobRoute> found) {
		if (this.looking == null) {
			return;
		}
		Map<String, JobRoute> now = new HashMap<>();
		found.forEach(route -> now.putIfAbsent(route.filter().routeId(), route));
		List<String> gone = new ArrayList<>(this.pairs.keySet());
		gone.removeIf(id -> now.containsKey(id) && isServed(now.get(id)));
		gone.forEach(id -> {
			Pair pair = this.pairs.remove(id);
			if (pair != null) {
				end(pair);
			}
		});
		now.forEach((id, route) -> this.pairs.computeIfAbsent(id, fresh -> begin(route)));
	}

	private boolean isServed(@Nullable JobRoute route) {
		Pair pair = (route != null) ? this.pairs.get(route.filter().routeId()) : null;
		return route != null && pair != null && pair.route.filter() == route.filter();
	}

	private Pair begin(JobRoute route) {
		String id = route.filter().routeId();
		Duration lease = route.filter().policy().retention().lease();
		Duration hold = (lease.compareTo(LEAST_HOLD) > 0) ? lease : LEAST_HOLD;
		RouteWorker work = new RouteWorker(route, this.exchanges, this.services, this.events);
		CallbackWorker posts = new CallbackWorker(id, route.jobs().rules(), this.jobs, this.services, this.post,
				this.callbacks, this.events);
		Duration postHold = this.callbacks.timeout().multipliedBy(2).plus(LEAST_HOLD);
		Pair pair = new Pair(route,
				worker(id, new QueueWorker.Settings(route.jobs().rules().concurrency(), hold), work::work),
				worker(JobServices.callbacks(id), new QueueWorker.Settings(POSTS_AT_ONCE, postHold), posts::work));
		this.events.serving(id);
		this.services.signals().listen(id, pair.jobs::wake);
		this.services.signals().listen(JobServices.callbacks(id), pair.posts::wake);
		return pair;
	}

	private QueueWorker worker(String queue, QueueWorker.Settings settings,
			java.util.function.Function<dev.idempotency.core.JobQueue.Taken, reactor.core.publisher.Mono<Disposal>> work) {
		return new QueueWorker(queue, this.services.queue(), settings, this.scheduler, work, this.events);
	}

	private void end(Pair pair) {
		String id = pair.route.filter().routeId();
		this.services.signals().leave(id);
		this.services.signals().leave(JobServices.callbacks(id));
		pair.jobs.stop();
		pair.posts.stop();
	}

	/** The two workers of a route. */
	private record Pair(JobRoute route, QueueWorker jobs, QueueWorker posts) {
	}

}
