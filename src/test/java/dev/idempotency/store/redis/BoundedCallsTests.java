package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class BoundedCallsTests {

	private static final Duration LIMIT = Duration.ofMillis(250);

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final List<String> heard = new ArrayList<>();

	private final List<Runnable> toDo = new ArrayList<>();

	private final BoundedCalls calls = new BoundedCalls(LIMIT, new Threads(Runnable::run),
			() -> this.time.now(TimeUnit.NANOSECONDS));

	@AfterEach
	void stopTime() {
		this.time.dispose();
	}

	@Test
	void an_answer_in_time_is_passed_on() {
		StepVerifier.create(bounded(Mono.just("yes"))).expectNext("yes").verifyComplete();
		assertThat(this.heard).containsExactly("answered");
	}

	@Test
	void an_empty_answer_is_one_too() {
		StepVerifier.create(bounded(Mono.empty())).verifyComplete();
		assertThat(this.heard).containsExactly("answered");
	}

	@Test
	void a_failure_is_passed_on_as_the_listener_says() {
		StepVerifier.create(bounded(Mono.error(new IllegalStateException("broken")))).verifyErrorMessage("told");
		assertThat(this.heard).containsExactly("IllegalStateException");
	}

	@Test
	void what_is_not_answered_in_time_fails_then_and_is_given_up() {
		TestPublisher<String> step = TestPublisher.create();
		StepVerifier.create(bounded(step.mono()))
			.then(() -> this.time.advanceTimeBy(LIMIT.minusMillis(1)))
			.then(() -> assertThat(this.heard).isEmpty())
			.then(() -> this.time.advanceTimeBy(Duration.ofMillis(1)))
			.verifyErrorMessage("told");
		assertThat(this.heard).containsExactly("TimeoutException");
		step.assertCancelled();
	}

	@Test
	void each_call_has_the_whole_limit_to_itself() {
		Sinks.One<String> second = Sinks.one();
		StepVerifier first = StepVerifier.create(bounded(Mono.never())).expectErrorMessage("told").verifyLater();
		this.time.advanceTimeBy(Duration.ofMillis(200));
		StepVerifier.create(bounded(second.asMono()))
			.then(() -> this.time.advanceTimeBy(Duration.ofMillis(249)))
			.then(() -> second.tryEmitValue("late, but in time"))
			.expectNext("late, but in time")
			.verifyComplete();
		first.verify();
		assertThat(this.heard).containsExactly("TimeoutException", "answered");
	}

	@Test
	void after_a_pause_the_limit_is_kept_again() {
		StepVerifier.create(bounded(Mono.just("yes"))).expectNext("yes").verifyComplete();
		this.time.advanceTimeBy(Duration.ofMinutes(1));
		StepVerifier.create(bounded(Mono.never()))
			.then(() -> this.time.advanceTimeBy(LIMIT))
			.verifyErrorMessage("told");
	}

	@Test
	void who_leaves_takes_his_call_back_and_nobody_hears_of_it() {
		TestPublisher<String> step = TestPublisher.create();
		bounded(step.mono()).subscribe().dispose();
		step.assertCancelled();
		this.time.advanceTimeBy(LIMIT);
		assertThat(this.heard).isEmpty();
	}

	@Test
	void an_answer_that_comes_too_late_is_dropped() {
		Sinks.One<String> step = Sinks.one();
		StepVerifier.create(bounded(step.asMono()))
			.then(() -> this.time.advanceTimeBy(LIMIT))
			.then(() -> step.tryEmitValue("late"))
			.verifyErrorMessage("told");
		assertThat(this.heard).containsExactly("TimeoutException");
	}

	@Test
	void the_caller_goes_on_where_he_is_at_home() {
		BoundedCalls elsewhere = new BoundedCalls(LIMIT, new Threads(this.toDo::add), System::nanoTime);
		AtomicBoolean got = new AtomicBoolean();
		elsewhere.bounded(Mono.just("yes"), listener()).subscribe((answer) -> got.set(true));
		assertThat(this.heard).containsExactly("answered");
		assertThat(got).isFalse();
		this.toDo.forEach(Runnable::run);
		assertThat(got).isTrue();
	}

	@Test
	void a_call_whose_limit_nobody_keeps_any_more_fails_at_once() {
		this.time.dispose();
		TestPublisher<String> step = TestPublisher.create();
		for (int i = 0; i < 2; i++) {
			StepVerifier.create(bounded(step.mono())).verifyErrorMessage("told");
		}
		step.assertWasNotSubscribed();
		assertThat(this.heard).hasSize(2).allMatch((name) -> name.endsWith("RejectedExecutionException"));
	}

	@Test
	void the_context_of_the_caller_reaches_the_call() {
		StepVerifier
			.create(bounded(Mono.deferContextual((context) -> Mono.just(context.get("who"))))
				.contextWrite((context) -> context.put("who", "me")))
			.expectNext("me")
			.verifyComplete();
	}

	private <T> Mono<T> bounded(Mono<T> step) {
		return this.calls.bounded(step, listener());
	}

	private BoundedCalls.Listener listener() {
		return new BoundedCalls.Listener() {

			@Override
			public void answered() {
				BoundedCallsTests.this.heard.add("answered");
			}

			@Override
			public Throwable failed(Throwable failure) {
				BoundedCallsTests.this.heard.add(failure.getClass().getSimpleName());
				return new IllegalStateException("told", failure);
			}

		};
	}

	private final class Threads implements BoundedCalls.Threads {

		private final Executor caller;

		Threads(Executor caller) {
			this.caller = caller;
		}

		@Override
		public Scheduler timers() {
			return BoundedCallsTests.this.time;
		}

		@Override
		public Executor callersThread() {
			return this.caller;
		}

	}

}
