package dev.idempotency.core;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Whether two requests ask for the same thing. */
class FingerprintTests {

	private static Fingerprint fingerprint(int rules, String meaning, String raw) {
		return new Fingerprint(rules, digest(meaning), digest(raw));
	}

	private static byte[] digest(String content) {
		return Digests.sha256().digest(content.getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void under_equal_rules_the_meaning_decides() {
		Fingerprint recorded = fingerprint(1, "a", "{ a }");
		assertThat(fingerprint(1, "a", "{a}").matches(recorded)).isTrue();
		assertThat(fingerprint(1, "b", "{ a }").matches(recorded)).isFalse();
	}

	@Test
	void where_the_rules_changed_the_octets_decide() {
		Fingerprint recorded = fingerprint(1, "a", "{ a }");
		assertThat(fingerprint(2, "other", "{ a }").matches(recorded)).isTrue();
		assertThat(fingerprint(2, "a", "{a}").matches(recorded)).isFalse();
	}

	@Test
	void it_is_equal_only_in_all_its_parts() {
		Fingerprint one = fingerprint(1, "a", "b");
		assertThat(one).isEqualTo(fingerprint(1, "a", "b")).hasSameHashCodeAs(fingerprint(1, "a", "b"));
		assertThat(one).isNotEqualTo(fingerprint(2, "a", "b"))
			.isNotEqualTo(fingerprint(1, "b", "b"))
			.isNotEqualTo(fingerprint(1, "a", "a"));
	}

	@Test
	void nobody_changes_it_from_outside() {
		byte[] given = digest("a");
		Fingerprint fingerprint = new Fingerprint(1, given, given);
		given[0]++;
		fingerprint.digest()[0]++;
		fingerprint.raw()[0]++;
		assertThat(fingerprint).isEqualTo(fingerprint(1, "a", "a"));
	}

	@Test
	void it_shows_eight_characters_and_no_more() {
		assertThat(fingerprint(1, "a", "b").toString()).matches("[0-9a-f]{8}");
	}

	@Test
	void digests_of_another_length_are_none() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Fingerprint(1, new byte[31], new byte[32]));
		assertThatIllegalArgumentException().isThrownBy(() -> new Fingerprint(1, new byte[32], new byte[33]));
	}

}
