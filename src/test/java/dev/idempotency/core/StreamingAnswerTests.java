package dev.idempotency.core;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.StoredResponse.Header;
import dev.idempotency.core.TroubledStore.Step;

import static org.assertj.core.api.Assertions.assertThat;

/** An answer that is passed on while it comes. */
class StreamingAnswerTests {

	private static final StoredResponse TOMBSTONE = StoredResponse.tombstone(200);

	private static final Outcome DONE = new Outcome.Done(1, TOMBSTONE, TOMBSTONE);

	private final EngineRig rig = new EngineRig(PolicySample.hold());

	private final Sinks.Many<byte[]> content = Sinks.many().unicast().onBackpressureBuffer();

	private final Sinks.One<Outcome> end = Sinks.one();

	@AfterEach
	void close() {
		this.rig.assertNothingLeft();
		this.rig.close();
	}

	private Flux<String> stream(Header... headers) {
		StoredResponse head = new StoredResponse(200, List.of(headers), null);
		Answer answer = this.rig
			.answer(ScriptedUpstream.ending(new Outcome.Streaming(1, head, this.content.asFlux(), this.end.asMono())));
		assertThat(answer).isInstanceOf(Answer.Stream.class);
		assertThat(((Answer.Stream) answer).head()).isEqualTo(head);
		return ((Answer.Stream) answer).body().map((piece) -> new String(piece, StandardCharsets.UTF_8));
	}

	private void send(String piece) {
		this.content.tryEmitNext(piece.getBytes(StandardCharsets.UTF_8)).orThrow();
	}

	private void end(Outcome outcome) {
		this.content.tryEmitComplete();
		this.end.tryEmitValue(outcome);
	}

	@Test
	void it_ends_only_after_the_outcome_is_recorded() {
		Sinks.Empty<Void> written = Sinks.empty();
		this.rig.store.trouble(Step.SETTLE, (real) -> written.asMono().then(real));
		StepVerifier.create(stream())
			.then(() -> send("a"))
			.expectNext("a")
			.then(() -> end(DONE))
			.expectNoEvent(Duration.ofMillis(10))
			.then(written::tryEmitEmpty)
			.verifyComplete();
		this.rig.assertDone(TOMBSTONE);
	}

	@Test
	void the_last_byte_of_an_announced_length_waits_for_the_record() {
		Sinks.Empty<Void> written = Sinks.empty();
		this.rig.store.trouble(Step.SETTLE, (real) -> written.asMono().then(real));
		List<String> read = new ArrayList<>();
		stream(new Header("content-length", "5")).subscribe(read::add);
		send("abc");
		send("de");
		end(DONE);
		assertThat(read).containsExactly("abc");
		written.tryEmitEmpty();
		assertThat(read).containsExactly("abc", "de");
	}

	@Test
	void it_is_said_to_run_until_it_has_ended() {
		StepVerifier.create(stream())
			.then(() -> this.rig.pass(PolicySample.LEASE.multipliedBy(3)))
			.then(() -> assertThat(this.rig.found()).isInstanceOf(Claim.Running.class))
			.then(() -> end(DONE))
			.verifyComplete();
	}

	@Test
	void it_is_recorded_though_nobody_ever_reads_it() {
		stream();
		end(DONE);
		this.rig.assertDone(TOMBSTONE);
	}

	@Test
	void it_is_recorded_though_its_reader_leaves() {
		StepVerifier.create(stream()).then(() -> send("a")).expectNext("a").thenCancel().verify();
		end(DONE);
		this.rig.assertDone(TOMBSTONE);
	}

	@Test
	void one_that_breaks_off_is_unknown_and_no_clean_end_for_the_client() {
		StepVerifier.create(stream())
			.then(() -> send("a"))
			.expectNext("a")
			.then(() -> this.content.tryEmitError(new IllegalStateException("reset")))
			.then(() -> this.end.tryEmitValue(new Outcome.Unknown(1, Reason.BROKEN, null, null, null)))
			.verifyErrorMessage("reset");
		this.rig.assertUnknown();
	}

	@Test
	void one_whose_end_is_a_defect_is_unknown() {
		stream();
		this.end.tryEmitError(new IllegalStateException("defect"));
		this.rig.assertUnknown();
		assertThat(this.rig.events.defects).hasSize(1);
	}

	@Test
	void one_whose_end_says_nothing_is_unknown() {
		stream();
		this.end.tryEmitEmpty();
		this.rig.assertUnknown();
	}

	@Test
	void one_that_was_begun_is_never_freed() {
		stream();
		end(EngineRig.notApplied(Reason.STATUS));
		this.rig.assertUnknown();
	}

	@Test
	void a_record_that_cannot_be_written_does_not_keep_the_client_waiting() {
		this.rig.store.unavailable(Step.SETTLE);
		StepVerifier.create(stream()).then(() -> end(DONE)).verifyComplete();
		assertThat(this.rig.events.settleFailures).isOne();
		this.rig.store.heal(Step.SETTLE);
		this.rig.pass(Duration.ofSeconds(5));
		this.rig.assertDone(TOMBSTONE);
	}

	@Test
	void a_slow_reader_is_not_hurried() {
		Flux<String> body = stream(new Header("Content-Length", "1000000"));
		StepVerifier.create(body, 1)
			.then(() -> send("a"))
			.expectNext("a")
			.then(() -> send("b"))
			.expectNoEvent(Duration.ofMillis(10))
			.thenRequest(1)
			.expectNext("b")
			.thenCancel()
			.verify();
		end(DONE);
	}

	@Test
	void a_length_that_is_none_is_ignored() {
		StepVerifier.create(stream(new Header("Content-Length", "many")))
			.then(() -> send("a"))
			.expectNext("a")
			.then(() -> end(DONE))
			.verifyComplete();
	}

	@Test
	void its_end_is_counted_once_whoever_reads_it() {
		Flux<String> body = stream();
		end(DONE);
		StepVerifier.create(body).verifyComplete();
		assertThat(this.rig.events.ended).containsExactly(DONE);
		assertThat(this.rig.store.count(Step.SETTLE)).isOne();
	}

	@Test
	void the_end_of_a_stream_that_nobody_asks_for_is_still_asked_for() {
		Sinks.Empty<Void> asked = Sinks.empty();
		StoredResponse head = new StoredResponse(200, List.of(), null);
		this.rig.answer(ScriptedUpstream.ending(new Outcome.Streaming(1, head, Flux.never(),
				Mono.just(DONE).doOnSubscribe((subscription) -> asked.tryEmitEmpty()))));
		assertThat(asked.asMono().toFuture()).isCompleted();
	}

}
