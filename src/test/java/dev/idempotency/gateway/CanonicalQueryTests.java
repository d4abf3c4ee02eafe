package dev.idempotency.gateway;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class CanonicalQueryTests {

	@ParameterizedTest
	@CsvSource({ "a=1&b=2, b=2&a=1", "a=1, %61=1", "a=1, a=%31", "a=x:y, a=x%3ay", "a=b=c, a=b%3Dc",
			"a=1&&b=2&, a=1&b=2", "&, ''", "b=2&a=2&a=1, a=2&b=2&a=1", "a[]=1, a%5B%5D=1", "%C3%A9=1, \u00e9=1" })
	void queriesThatMeanTheSameAreOne(String one, String other) {
		assertThat(CanonicalQuery.of(one)).isEqualTo(CanonicalQuery.of(other));
	}

	@ParameterizedTest
	@CsvSource({ "a=1, a=2", "a=1, ''", "a=1&a=2, a=2&a=1", "a, a=", "a, ''", "a=+, a=%20", "a=+, a=%2B",
			"a=%20, a=%2B", "a=1&b=2, a=1%26b=2", "a=1, A=1", "a=%, a=%25", "a=%zz, a=%25zz", "a=1&a, a&a=1",
			"a%3D1, a=1" })
	void queriesThatMayMeanDifferentThingsAreTwo(String one, String other) {
		assertThat(CanonicalQuery.of(one)).isNotEqualTo(CanonicalQuery.of(other));
	}

}
