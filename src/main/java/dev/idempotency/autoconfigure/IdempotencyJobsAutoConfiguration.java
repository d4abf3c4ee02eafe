package dev.idempotency.autoconfigure;

import java.time.InstantSource;
import java.util.List;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.EngineServices;
import dev.idempotency.core.JobQueue;
import dev.idempotency.core.JobServices;
import dev.idempotency.core.JobSignals;
import dev.idempotency.core.Jobs;
import dev.idempotency.gateway.AnswerSettings;
import dev.idempotency.gateway.JobResource;
import dev.idempotency.gateway.ProtectedRoutes;
import dev.idempotency.jobs.CallbackPost;
import dev.idempotency.jobs.CallbackSettings;
import dev.idempotency.jobs.JobExchanges;
import dev.idempotency.jobs.JobWorkers;
import dev.idempotency.observability.JobObserver;
import dev.idempotency.upstream.BodyBudget;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import reactor.core.scheduler.Schedulers;

import dev.idempotency.store.PackingDeadLetters;
import dev.idempotency.store.PackingJobQueue;
import dev.idempotency.store.RecordPacking;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Jobs, where the store has queues for them.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { IdempotencyStoreAutoConfiguration.class, IdempotencyAutoConfiguration.class })
@ConditionalOnClass(GlobalFilter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBean({ JobQueue.class, DeadLetters.class, EngineServices.class })
public final class IdempotencyJobsAutoConfiguration {

	@Bean
	JobServices idempotencyJobServices(JobQueue queue, DeadLetters letters, IdempotencyProperties properties) {
		RecordPacking packing = properties.packing();
		return new JobServices(new PackingJobQueue(queue, packing), new PackingDeadLetters(letters, packing),
				new JobSignals(), InstantSource.system());
	}

	@Bean
	Jobs idempotencyJobs(EngineServices engine, JobServices services) {
		return new Jobs(engine.store(), services, engine.nanoClock());
	}

	@Bean
	JobObserver idempotencyJobObserver(DeadLetters letters, ObjectProvider<MeterRegistry> registry) {
		return new JobObserver(letters, InstantSource.system(), registry.getIfAvailable(CompositeMeterRegistry::new),
				Schedulers.parallel());
	}

	@Bean
	RouterFunction<ServerResponse> idempotencyJobResource(Jobs jobs, ProtectedRoutes routes, AnswerSettings answers) {
		return JobResource.router(jobs, routes, answers);
	}

	@Bean
	JobExchanges idempotencyJobExchanges(List<GlobalFilter> filters, ApplicationContext context,
			ServerCodecConfigurer codecs, BodyBudget budget) {
		return new JobExchanges(filters, context, codecs, budget);
	}

	@Bean
	JobWorkers idempotencyJobWorkers(ProtectedRoutes routes, JobExchanges exchanges, Jobs jobs, JobServices services,
			IdempotencyProperties properties, JobObserver observer) {
		IdempotencyProperties.Callback callback = properties.jobs().callback();
		return new JobWorkers(routes, exchanges, jobs, services,
				new CallbackPost(callback.timeout(), InstantSource.system()),
				new CallbackSettings(callback.timeout(), callback.maxAttempts(), callback.backoff()),
				Schedulers.parallel(), observer);
	}

}
