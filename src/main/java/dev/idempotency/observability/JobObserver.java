package dev.idempotency.observability;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.JobId;
import dev.idempotency.core.JobStatus;
import dev.idempotency.jobs.JobEvents;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Counts how jobs end, logs what is not as it should be, and keeps an eye on the dead
 * letters.
 *
 * @since 0.1.0
 */
public final class JobObserver implements JobEvents, AutoCloseable {

	private static final Logger log = LoggerFactory.getLogger("dev.idempotency.jobs");

	private static final String POSTED = "posted";

	private static final String FAILED = "failed";

	private static final Duration LOOK = Duration.ofSeconds(15);

	private final DeadLetters letters;

	private final InstantSource clock;

	private final MeterRegistry registry;

	private final Disposable looking;

	private volatile DeadLetters.Summary summary = DeadLetters.Summary.NONE;

	/**
	 * Looks at the dead letters now and then.
	 * @param letters the letters
	 * @param clock for their age
	 * @param registry where meters are kept
	 * @param scheduler for the looks
	 */
	public JobObserver(DeadLetters letters, InstantSource clock, MeterRegistry registry, Scheduler scheduler) {
		this.letters = letters;
		this.clock = clock;
		this.registry = registry;
		Gauge.builder(IdempotencyMeter.DEAD_LETTERS.meterName(), this, observer -> observer.summary.count())
			.description("Dead letters that wait for an operator")
			.register(registry);
		Gauge.builder(IdempotencyMeter.DEAD_LETTERS_OLDEST.meterName(), this, JobObserver::ageOfOldest)
			.description("Age of the oldest dead letter")
			.baseUnit("seconds")
			.register(registry);
		this.looking = scheduler.schedulePeriodically(this::lettersChanged, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
	}

	private double ageOfOldest() {
		Instant oldest = this.summary.oldest();
		return (oldest != null) ? Math.max(0, Duration.between(oldest, this.clock.instant()).toSeconds()) : 0;
	}

	/** All at once: what appears only with its first event has no rate before. */
	@Override
	public void serving(String route) {
		counter(IdempotencyMeter.JOBS, route, MeterTag.STATUS, JobStatus.QUEUED.name());
		Stream.of(JobStatus.values())
			.filter(JobStatus::isFinal)
			.forEach(status -> counter(IdempotencyMeter.JOBS, route, MeterTag.STATUS, status.name()));
		Stream.of(POSTED, FAILED)
			.forEach(result -> counter(IdempotencyMeter.CALLBACKS, route, MeterTag.RESULT, result));
	}

	@Override
	public void ended(String route, JobId job, JobStatus status) {
		counter(IdempotencyMeter.JOBS, route, MeterTag.STATUS, status.name()).increment();
		if (status == JobStatus.DEAD) {
			log.warn("Route {}: job {} was given up; it is in the dead letters", route, job.recordId());
		}
	}

	@Override
	public void posted(String route, JobId job) {
		counter(IdempotencyMeter.CALLBACKS, route, MeterTag.RESULT, POSTED).increment();
	}

	@Override
	public void notPosted(String route, JobId job, String why) {
		counter(IdempotencyMeter.CALLBACKS, route, MeterTag.RESULT, FAILED).increment();
		log.warn("Route {}: the end of job {} could not be posted: {}", route, job.recordId(), why);
	}

	@Override
	public void lost(String route, JobId job) {
		log.warn("Route {}: job {} has no record; it was refused when it came, or its record was lost", route,
				job.recordId());
	}

	@Override
	public void lettersChanged() {
		this.letters.summary()
			.subscribe(now -> this.summary = now, away -> log.debug("Dead letters cannot be counted"));
	}

	@Override
	public void defect(String route, Throwable defect) {
		log.error("Queue {}: a defect of the gateway met a job", route.replace('\n', ' '), defect);
	}

	private Counter counter(IdempotencyMeter meter, String route, MeterTag tag, String value) {
		return this.registry.counter(meter.meterName(), MeterTag.ROUTE.asString(), route, tag.asString(),
				value.toLowerCase(Locale.ROOT));
	}

	/** Looks no more. */
	@Override
	public void close() {
		this.looking.dispose();
	}

}
