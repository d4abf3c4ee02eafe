package dev.idempotency.store;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

class UnderwayTests {

	private final Underway underway = new Underway();

	private final Sinks.One<Integer> first = Sinks.one();

	private final Sinks.One<Integer> second = Sinks.one();

	@Test
	void whatBeginsEndsWhatWasUnderway() {
		this.underway.begin(this.first.asMono());
		this.underway.begin(this.second.asMono());
		assertThat(this.first.currentSubscriberCount()).isZero();
		assertThat(this.second.currentSubscriberCount()).isOne();
	}

	@Test
	void aStepThatIsOverAtOnceDoesNotEndTheOneItBegins() {
		this.underway.begin(Mono.just(1).doOnNext((one) -> this.underway.begin(this.second.asMono())));
		assertThat(this.second.currentSubscriberCount()).isOne();
	}

	@Test
	void aStepThatFailsAtOnceDoesNotEndTheOneItBegins() {
		this.underway.begin(Mono.error(new IllegalStateException("refused"))
			.doOnError((refused) -> this.underway.begin(this.second.asMono())));
		assertThat(this.second.currentSubscriberCount()).isOne();
	}

	@Test
	void nothingBeginsAfterwards() {
		this.underway.begin(this.first.asMono());
		this.underway.dispose();
		this.underway.begin(this.second.asMono());
		assertThat(this.first.currentSubscriberCount()).isZero();
		assertThat(this.second.currentSubscriberCount()).isZero();
	}

}
