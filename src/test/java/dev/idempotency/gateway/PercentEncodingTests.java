package dev.idempotency.gateway;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PercentEncodingTests {

	@ParameterizedTest
	@CsvSource({ "/abc, /abc", "/%7Euser, /~user", "/%61%2d, /a-", "/a%2fb, /a%2Fb", "/a%2Fb, /a%2Fb",
			"/%c3%a9, /%C3%A9", "/a%, /a%", "/a%4, /a%4", "/a%zz, /a%zz", "/a;x=%31, /a;x=1" })
	void aPathKeepsTheMeaningOfEachOctet(String path, String normalized) {
		assertThat(PercentEncoding.normalized(path)).isEqualTo(normalized);
	}

	@ParameterizedTest
	@CsvSource({ "abc, abc", "%61, a", "a:b, a%3Ab", "a%3ab, a%3Ab", "\u00e9, %C3%A9", "%c3%a9, %C3%A9", "+, +",
			"%2b, %2B", "%20, %20", "%, %%", "%zz, %%zz", "%%34%31, %%41", "\ud83d\ude00, %F0%9F%98%80" })
	void partsOfAQueryThatDecodeAlikeAreSpelledAlike(String part, String canonical) {
		assertThat(PercentEncoding.canonical(part)).isEqualTo(canonical);
	}

}
