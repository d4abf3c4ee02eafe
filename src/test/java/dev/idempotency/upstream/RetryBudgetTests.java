package dev.idempotency.upstream;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RetryBudgetTests {

	private final AtomicLong now = new AtomicLong(Duration.ofHours(1).toNanos());

	private final RetryBudget budget = new RetryBudget(0.2, this.now::get);

	@Test
	void tenResendsAreAlwaysAllowed() {
		assertThat(resends(100)).isEqualTo(10);
	}

	@Test
	void aShareOfRecentFirstSendsIsAllowedBesides() {
		firstSends(100);
		assertThat(resends(100)).isEqualTo(30);
		firstSends(10);
		assertThat(resends(100)).isEqualTo(2);
	}

	@Test
	void whatWasUsedComesBackAfterTenSeconds() {
		assertThat(resends(100)).isEqualTo(10);
		pass(Duration.ofSeconds(5));
		assertThat(resends(100)).isZero();
		pass(Duration.ofSeconds(6));
		assertThat(resends(100)).isEqualTo(10);
	}

	@Test
	void oldFirstSendsDoNotCount() {
		firstSends(1000);
		pass(Duration.ofSeconds(11));
		assertThat(resends(100)).isEqualTo(10);
	}

	@Test
	void aLongSilenceForgetsEverything() {
		firstSends(1000);
		resends(50);
		pass(Duration.ofDays(40));
		assertThat(resends(100)).isEqualTo(10);
	}

	@Test
	void aMonotonicClockMayBeNegative() {
		this.now.set(-Duration.ofHours(1).toNanos());
		RetryBudget early = new RetryBudget(0, this.now::get);
		assertThat(IntStream.range(0, 100).filter((i) -> early.tryResend()).count()).isEqualTo(10);
		pass(Duration.ofSeconds(11));
		assertThat(early.tryResend()).isTrue();
	}

	private void firstSends(int count) {
		IntStream.range(0, count).forEach((i) -> this.budget.firstSend());
	}

	private long resends(int tries) {
		return IntStream.range(0, tries).filter((i) -> this.budget.tryResend()).count();
	}

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

}
