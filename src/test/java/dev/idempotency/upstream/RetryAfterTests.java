package dev.idempotency.upstream;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RetryAfterTests {

	private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

	@Test
	void isReadAsSeconds() {
		assertThat(parse("120")).isEqualTo(Duration.ofMinutes(2));
		assertThat(parse(" 0 ")).isEqualTo(Duration.ZERO);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "Sun, 01 Mar 2026 12:01:30 GMT", "Sunday, 01-Mar-26 12:01:30 GMT", "Sun Mar  1 12:01:30 2026" })
	void isReadAsADateInAnyOfTheThreeForms(String value) {
		assertThat(parse(value)).isEqualTo(Duration.ofSeconds(90));
	}

	@Test
	void aDateThatHasPassedMeansNow() {
		assertThat(parse("Sun, 01 Mar 2026 11:00:00 GMT")).isEqualTo(Duration.ZERO);
	}

	@Test
	void anAbsurdNumberMeansNeverRatherThanNow() {
		assertThat(parse("99999999999999999999")).isGreaterThan(Duration.ofDays(365));
		assertThat(parse("Fri, 31 Dec 9999 23:59:59 GMT")).isGreaterThan(Duration.ofDays(365));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "soon", "-1", "1.5", "Sun, 32 Mar 2026 12:00:00 GMT" })
	void anythingElseSaysNothing(String value) {
		assertThat(parse(value)).isNull();
	}

	private static Duration parse(String value) {
		return RetryAfter.parse(value, () -> NOW);
	}

}
