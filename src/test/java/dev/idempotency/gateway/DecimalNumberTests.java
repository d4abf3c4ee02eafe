package dev.idempotency.gateway;

import java.math.BigDecimal;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DecimalNumberTests {

	@ParameterizedTest
	@CsvSource({ "0, 0", "-0, 0", "0.00, 0", "-0.0e5, 0", "0e99999999999999999999999, 0", "1, 1e0", "1.0, 1e0",
			"1e0, 1e0", "100, 1e2", "1E+2, 1e2", "1e-02, 1e-2", "0.10, 1e-1", "-12.340, -1234e-2", "1e3, 1e3",
			"1000, 1e3", "1e999999999, 1e999999999", "10e-99999999999999999, 1e-99999999999999998",
			"9007199254740993, 9007199254740993e0", "0.1e00000000000000000000001, 1e0" })
	void spellingsOfOneValueAreOne(String number, String canonical) {
		assertThat(DecimalNumber.canonical(number)).isEqualTo(canonical);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1e100000000000000000", "-1.5E-999999999999999999999999999" })
	void anAbsurdExponentIsNotCompared(String number) {
		assertThatExceptionOfType(IncomparableJsonException.class).isThrownBy(() -> DecimalNumber.canonical(number));
	}

	@Test
	void equalSpellingsMeanEqualValues() {
		Random random = new Random(17);
		for (int i = 0; i < 20_000; i++) {
			String one = number(random);
			String other = number(random);
			boolean equal = new BigDecimal(one).compareTo(new BigDecimal(other)) == 0;
			assertThat(DecimalNumber.canonical(one).equals(DecimalNumber.canonical(other))).as(one + " " + other)
				.isEqualTo(equal);
			assertThat(new BigDecimal(DecimalNumber.canonical(one))).isEqualByComparingTo(one);
		}
	}

	/** Few digits, so that equal values are common. */
	private static String number(Random random) {
		StringBuilder number = new StringBuilder(random.nextBoolean() ? "-" : "");
		number.append(random.nextInt(3) * (random.nextBoolean() ? 10 : 1));
		if (random.nextBoolean()) {
			number.append('.').append("0".repeat(random.nextInt(2))).append(random.nextInt(3));
		}
		if (random.nextBoolean()) {
			number.append(random.nextBoolean() ? "e" : "E")
				.append(random.nextBoolean() ? "+" : "-")
				.append(random.nextInt(3));
		}
		return number.toString();
	}

}
