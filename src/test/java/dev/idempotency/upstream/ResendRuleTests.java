package dev.idempotency.upstream;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.idempotency.core.IdempotencyPolicy.RetryRules;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.StoredResponse;

import static org.assertj.core.api.Assertions.assertThat;

class ResendRuleTests {

	private static final Outcome UNREACHABLE = new Outcome.NotApplied(1, Reason.UNREACHABLE, null, null);

	private static final Outcome TIMEOUT = new Outcome.Unknown(1, Reason.TIMEOUT, null, null, null);

	private final ResendRule rule = rule(TestPolicy.RETRY, false);

	private final ResendRule honoured = rule(TestPolicy.RETRY, true);

	@Test
	void pausesAreSpreadAroundTheInterval() {
		assertThat(LongStream.of(pauses(this.rule, 1))).allMatch((millis) -> millis >= 50 && millis <= 151);
		assertThat(deviation(pauses(this.rule, 1))).isGreaterThan(20);
		assertThat(LongStream.of(pauses(this.rule, 3))).allMatch((millis) -> millis >= 200 && millis <= 601);
	}

	@Test
	void pausesNeverExceedTheCapAndAreStillSpreadThere() {
		long[] pauses = pauses(this.rule, 20);
		assertThat(LongStream.of(pauses)).allMatch((millis) -> millis >= 1000 && millis <= 2000);
		assertThat(deviation(pauses)).isGreaterThan(200);
		assertThat(LongStream.of(pauses).filter((millis) -> millis == 2000).count()).isLessThan(20);
	}

	@Test
	void withoutJitterPausesGrowExactly() {
		ResendRule exact = rule(
				new RetryRules(9, Set.of(503), Duration.ofMillis(100), 2, Duration.ofSeconds(2), 0, 0.2), false);
		assertThat(List.of(1, 2, 3, 4, 5, 6, 7)).extracting((sends) -> exact.pauseAfter(UNREACHABLE, sends).toMillis())
			.containsExactly(100L, 200L, 400L, 800L, 1600L, 2000L, 2000L);
	}

	@Test
	void fullJitterAndTheShortestIntervalsArePossible() {
		ResendRule wild = rule(new RetryRules(9, Set.of(503), Duration.ofMillis(1), 1, Duration.ofMillis(1), 1, 1),
				false);
		assertThat(LongStream.of(pauses(wild, 5))).allMatch((millis) -> millis >= 0 && millis <= 1);
	}

	@Test
	void noPauseIsShorterThanRetryAfterWhateverTheClass() {
		StoredResponse later = answer(503, "Retry-After", "7");
		for (Outcome outcome : List.of(new Outcome.NotApplied(1, Reason.STATUS, later, null),
				new Outcome.Unknown(1, Reason.STATUS, later, null, null), new Outcome.Done(1, later, later))) {
			assertThat(this.rule.pauseAfter(outcome, 1)).isEqualTo(Duration.ofSeconds(7));
		}
		StoredResponse now = answer(503, "Retry-After", "0");
		assertThat(this.rule.pauseAfter(new Outcome.NotApplied(1, Reason.STATUS, now, null), 1))
			.isGreaterThan(Duration.ofMillis(49));
	}

	@Test
	void onlyWhatWasNotDoneIsSentAgain() {
		assertThat(this.rule.permits(UNREACHABLE)).isTrue();
		assertThat(this.rule.permits(refused(503))).isTrue();
		assertThat(this.rule.permits(refused(429))).isFalse();
		assertThat(this.rule.permits(TIMEOUT)).isFalse();
		assertThat(this.rule.permits(failed(503))).isFalse();
		assertThat(this.rule.permits(done(503))).isFalse();
	}

	@Test
	void whatIsInDoubtIsSentAgainToABackendThatHonoursKeys() {
		assertThat(this.honoured.permits(TIMEOUT)).isTrue();
		assertThat(this.honoured.permits(failed(503))).isTrue();
		assertThat(this.honoured.permits(failed(500))).isFalse();
		assertThat(this.honoured.permits(done(503))).isFalse();
	}

	@Test
	void theAnswerOfAFilterIsNotAskedForAgain() {
		StoredResponse answer = answer(503);
		assertThat(this.rule.permits(new Outcome.NotApplied(1, Reason.ANSWERED_LOCALLY, answer, null))).isFalse();
		assertThat(this.honoured.permits(new Outcome.Unknown(1, Reason.ANSWERED_LOCALLY, answer, null, null)))
			.isFalse();
	}

	@Test
	void onlyABackendThatHonoursKeysCanSayThatItStillRuns() {
		assertThat(this.honoured.isStillInProgress(done(409))).isTrue();
		assertThat(this.honoured.isStillInProgress(refused(425))).isTrue();
		assertThat(this.honoured.isStillInProgress(done(404))).isFalse();
		assertThat(this.honoured.isStillInProgress(TIMEOUT)).isFalse();
		assertThat(this.rule.isStillInProgress(done(409))).isFalse();
	}

	private static ResendRule rule(RetryRules retry, boolean backendIdempotent) {
		return new ResendRule(TestPolicy.with(retry, TestPolicy.outcomes(backendIdempotent)), () -> Instant.EPOCH);
	}

	private static long[] pauses(ResendRule rule, int sends) {
		return LongStream.range(0, 500).map((i) -> rule.pauseAfter(UNREACHABLE, sends).toMillis()).toArray();
	}

	private static double deviation(long[] values) {
		double mean = LongStream.of(values).average().orElseThrow();
		return Math.sqrt(
				LongStream.of(values).mapToDouble((value) -> (value - mean) * (value - mean)).average().orElseThrow());
	}

	private static Outcome refused(int status) {
		return new Outcome.NotApplied(1, Reason.STATUS, answer(status), null);
	}

	private static Outcome failed(int status) {
		return new Outcome.Unknown(1, Reason.STATUS, answer(status), answer(status), null);
	}

	private static Outcome done(int status) {
		return new Outcome.Done(1, answer(status), answer(status));
	}

	private static StoredResponse answer(int status, String... header) {
		List<StoredResponse.Header> headers = (header.length == 0) ? List.of()
				: List.of(new StoredResponse.Header(header[0], header[1]));
		return new StoredResponse(status, headers, new byte[0]);
	}

}
