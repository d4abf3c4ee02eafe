package dev.idempotency.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class AnswerBodyTests {

	private static final Duration GAP = Duration.ofSeconds(1);

	private static final Duration DRAIN = Duration.ofSeconds(10);

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final BodyBudget budget = new BodyBudget(1000);

	private final TestPublisher<byte[]> backend = TestPublisher.create();

	private final List<String> ends = new ArrayList<>();

	@AfterEach
	void stop() {
		this.time.dispose();
	}

	@Test
	void whatFitsIsCollected() {
		AnswerBody body = read(false, 10);
		this.backend.next(new byte[4], new byte[6]).complete();
		assertThat(((AnswerBody.Content.Whole) content(body)).bytes()).hasSize(10);
		assertThat(this.ends).containsExactly("whole");
		assertThat(this.budget.held()).isEqualTo(10);
	}

	@Test
	void whatDoesNotFitWaitsForTheClientWithAllThatWasRead() {
		Client client = new Client();
		AnswerBody body = read(false, 10);
		this.backend.next(new byte[8], new byte[8]);
		opened(body).body().subscribe(client);
		this.backend.next(new byte[5]).complete();
		assertThat(client.bytes).isEqualTo(21);
		assertThat(client.end).isEqualTo("complete");
	}

	@Test
	void nothingIsCollectedBeyondTheBudgetOfAllRoutes() {
		this.budget.share().take(995);
		AnswerBody body = read(false, 100);
		this.backend.next(new byte[8]);
		assertThat(content(body)).isInstanceOf(AnswerBody.Content.Opened.class);
	}

	@Test
	void anAnswerNobodyFetchesIsReadToItsEnd() {
		AnswerBody body = read(true, 10);
		AnswerBody.Content.Opened opened = opened(body);
		this.time.advanceTimeBy(GAP.multipliedBy(2));
		this.backend.next(new byte[100]).complete();
		assertThat(this.ends).containsExactly("whole");
		Client late = new Client();
		opened.body().subscribe(late);
		assertThat(late.end).as("of a client that comes too late").isEqualTo("error");
	}

	@Test
	void whatNobodyFetchesAndNeverEndsIsCut() {
		opened(read(true, 10));
		this.time.advanceTimeBy(GAP.multipliedBy(2).plus(DRAIN));
		assertThat(this.ends).containsExactly(TimeoutException.class.getName());
		this.backend.assertCancelled();
	}

	@Test
	void aClientThatLeavesIsReadOnFor() {
		Client client = new Client();
		opened(read(true, 10)).body().subscribe(client);
		this.backend.next(new byte[1]);
		client.cancel();
		this.backend.next(new byte[100]).complete();
		assertThat(this.ends).containsExactly("whole");
		assertThat(client.bytes).isEqualTo(1);
	}

	@Test
	void aPauseOfTheBackendBreaksTheStream() {
		Client client = new Client();
		opened(read(true, 10)).body().subscribe(client);
		this.backend.next(new byte[1]);
		this.time.advanceTimeBy(GAP.multipliedBy(2));
		assertThat(client.end).isEqualTo("error");
		assertThat(this.ends).containsExactly(TimeoutException.class.getName());
	}

	@Test
	void aClientThatDoesNotReadIsGivenUpButNotTheBackend() {
		Client client = new Client() {

			@Override
			protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
				// Asks for nothing.
			}

		};
		opened(read(true, 10)).body().subscribe(client);
		this.time.advanceTimeBy(GAP.multipliedBy(3));
		assertThat(client.end).isEmpty();
		this.time.advanceTimeBy(DRAIN);
		assertThat(client.end).isEqualTo("error");
		this.backend.next(new byte[100]).complete();
		assertThat(this.ends).containsExactly("whole");
	}

	@Test
	void whatBreaksOffIsNotWhole() {
		AnswerBody body = read(false, 10);
		this.backend.next(new byte[1]).error(new IllegalStateException());
		assertThat(this.ends).containsExactly(IllegalStateException.class.getName());
		assertThat(body.content().onErrorComplete().block()).isNull();
	}

	private AnswerBody read(boolean streams, long limit) {
		AnswerBody body = new AnswerBody(
				new AnswerBody.Terms(streams, limit, GAP, DRAIN, this.budget.share(), this.time));
		body.over().subscribe((nothing) -> {
		}, (error) -> this.ends.add(error.getClass().getName()), () -> this.ends.add("whole"));
		this.backend.flux().subscribe(body);
		return body;
	}

	private static AnswerBody.Content content(AnswerBody body) {
		return body.content().block();
	}

	private static AnswerBody.Content.Opened opened(AnswerBody body) {
		return (AnswerBody.Content.Opened) content(body);
	}

	private static class Client extends BaseSubscriber<byte[]> {

		int bytes;

		String end = "";

		@Override
		protected void hookOnNext(byte[] piece) {
			this.bytes += piece.length;
		}

		@Override
		protected void hookOnComplete() {
			this.end = "complete";
		}

		@Override
		protected void hookOnError(Throwable error) {
			this.end = "error";
		}

	}

}
