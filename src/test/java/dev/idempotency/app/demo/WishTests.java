package dev.idempotency.app.demo;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WishTests {

	@Test
	void answersAtOnceWith201UnlessToldOtherwise() {
		assertThat(wish("")).isEqualTo(new Wish(Duration.ZERO, 201, false));
	}

	@Test
	void readsWhatIsWished() {
		assertThat(wish("delay=2s&status=500&fail=reset")).isEqualTo(new Wish(Duration.ofSeconds(2), 500, true));
	}

	@ParameterizedTest
	@CsvSource({ "status=200,true", "status=202,true", "status=302,false", "status=400,false", "status=404,false",
			"status=500,true", "status=502,true", "status=503,false", "status=504,true", "fail=reset,true",
			"fail=reset&status=404,true" })
	void movesMoneyForASuccessAndForAnErrorAfterTheFact(String query, boolean charges) {
		assertThat(wish(query).charges()).isEqualTo(charges);
	}

	@ParameterizedTest
	@ValueSource(strings = { "delay=soon", "delay=", "delay=-1s", "delay=121s", "delay=PT9999999999999999H",
			"delay=9223372036854775807s", "delay=99999999999999999999s", "status=99", "status=600", "status=abc",
			"status=", "status=101", "fail=crash", "fail=", "dealy=2s" })
	void refusesWhatItDoesNotUnderstand(String query) {
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> wish(query))
			.satisfies((ex) -> assertThat(ex.status().value()).isEqualTo(400));
	}

	private Wish wish(String query) {
		MultiValueMap<String, String> parameters = UriComponentsBuilder.fromUriString("/?" + query)
			.build()
			.getQueryParams();
		return Wish.of(parameters);
	}

}
