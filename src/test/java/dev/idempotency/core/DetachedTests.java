package dev.idempotency.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** Work that outlives whoever asked for it. */
class DetachedTests {

	@Test
	void it_begins_when_somebody_asks() {
		AtomicBoolean begun = new AtomicBoolean();
		Mono<Boolean> work = Detached.run(Mono.fromSupplier(() -> begun.getAndSet(true)));
		assertThat(begun).isFalse();
		work.block();
		assertThat(begun).isTrue();
	}

	@Test
	void it_runs_on_when_he_leaves() {
		Sinks.Empty<Void> step = Sinks.empty();
		AtomicBoolean ended = new AtomicBoolean();
		CompletableFuture<?> asked = Detached.run(step.asMono().doOnSuccess((nothing) -> ended.set(true))).toFuture();
		asked.cancel(true);
		step.tryEmitEmpty();
		assertThat(ended).isTrue();
	}

	@Test
	void its_value_its_emptiness_and_its_error_come_through() {
		StepVerifier.create(Detached.run(Mono.just(1))).expectNext(1).verifyComplete();
		StepVerifier.create(Detached.run(Mono.empty())).verifyComplete();
		StepVerifier.create(Detached.run(Mono.error(new IllegalStateException("no")))).verifyErrorMessage("no");
	}

	@Test
	void it_knows_the_context_of_who_asked() {
		Mono<String> work = Detached.run(Mono.deferContextual((context) -> Mono.just(context.get("who"))));
		StepVerifier.create(work.contextWrite((context) -> context.put("who", "alice")))
			.expectNext("alice")
			.verifyComplete();
	}

}
