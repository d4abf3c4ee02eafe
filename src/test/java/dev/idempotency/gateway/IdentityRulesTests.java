package dev.idempotency.gateway;

import dev.idempotency.core.Caller;
import dev.idempotency.core.IdempotencyKey;
import dev.idempotency.core.RecordId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class IdentityRulesTests {

	private static final Caller ALICE = new Caller("principal", "alice");

	private static final IdempotencyKey KEY = new IdempotencyKey("k");

	private static final RequestTarget TARGET = new RequestTarget("api.example", "/charges", "");

	private static final RecordId FIRST = IdentityRules.identify("default", ALICE, "POST", TARGET, KEY);

	/** If this fails, old keys become new: the version has to say so. */
	@Test
	void theIdentityOfAnOperationStaysTheSameFromReleaseToRelease() {
		assertThat(FIRST.digest()).isEqualTo("216f5b9b9ab8952033e9981cab971d24421d4bacc07f5395d653631ee298fb87");
		assertThat(IdentityRules.HASH).isEqualTo("d61da8a6");
	}

	@Test
	void eachPartMakesAnOperationOfItsOwn() {
		assertThat(IdentityRules.identify("other", ALICE, "POST", TARGET, KEY)).isNotEqualTo(FIRST);
		assertThat(IdentityRules.identify("default", new Caller("principal", "bob"), "POST", TARGET, KEY))
			.isNotEqualTo(FIRST);
		assertThat(IdentityRules.identify("default", new Caller("header:x", "alice"), "POST", TARGET, KEY))
			.isNotEqualTo(FIRST);
		assertThat(IdentityRules.identify("default", ALICE, "PATCH", TARGET, KEY)).isNotEqualTo(FIRST);
		assertThat(IdentityRules.identify("default", ALICE, "POST", TARGET, new IdempotencyKey("K")))
			.isNotEqualTo(FIRST);
		assertThat(at("b.example", "/charges")).isNotEqualTo(FIRST);
		assertThat(at("api.example", "/charges/")).isNotEqualTo(FIRST);
	}

	@Test
	void theQueryIsNoPartOfTheIdentity() {
		RequestTarget target = new RequestTarget("api.example", "/charges", "dry=1");
		assertThat(IdentityRules.identify("default", ALICE, "POST", target, KEY)).isEqualTo(FIRST);
	}

	@Test
	void pathsThatAreEquivalentAreOne() {
		assertThat(at("api.example", "/x/../%63harges")).isEqualTo(FIRST);
	}

	@ParameterizedTest
	@CsvSource({ "/, /", "/a/b, /a/b", "/a/./b, /a/b", "/a/../b, /b", "/a/b/.., /a/", "/a/., /a/", "/../a, /a",
			"/a/b/c/./../../g, /a/g", "/a/%2e%2E/b, /b", "/a//b, /a//b", "/a//../b, /a/b", "/a/, /a/",
			"/a;v=1/b, /a;v=1/b", "/a/..b/.c, /a/..b/.c", "/a%2f..%2fb, /a%2F..%2Fb", "/.., /", "/., /" })
	void pathsAreBroughtIntoTheirNormalForm(String path, String normalized) {
		assertThat(IdentityRules.normalizedPath(path)).isEqualTo(normalized);
	}

	private static RecordId at(String host, String path) {
		return IdentityRules.identify("default", ALICE, "POST", new RequestTarget(host, path, ""), KEY);
	}

}
