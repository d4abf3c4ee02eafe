package dev.idempotency.autoconfigure;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.idempotency.autoconfigure.IdempotencyProperties.Encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EncryptionPropertiesTests {

	private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

	@Test
	void keysWithoutAnActiveOneAreForReading() {
		assertThatNoException().isThrownBy(() -> new Encryption(null, Map.of("next", KEY)).cipher());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "short", "AAAA", "no base64 at all!", KEY + KEY })
	void aKeyThatIsNoneIsRefusedWithoutBeingShown(String key) {
		assertThatThrownBy(() -> new Encryption("k", Map.of("k", key))).isInstanceOf(RejectedValueException.class)
			.hasMessageContaining("idempotency.encryption.keys.k")
			.hasMessageContaining("32 octets in Base64")
			.hasMessageNotContaining("no base64");
	}

	@Test
	void anActiveKeyThatIsNotThereIsRefusedWithTheOnesThatAre() {
		assertThatThrownBy(() -> new Encryption("new", Map.of("old", KEY))).isInstanceOf(RejectedValueException.class)
			.hasMessageContaining("idempotency.encryption.active")
			.hasMessageContaining("'new'")
			.hasMessageContaining("old");
	}

	@Test
	void theSameKeyUnderTwoNamesIsRefusedWithoutBeingShown() {
		assertThatThrownBy(() -> new Encryption("new", Map.of("old", KEY, "new", KEY + "\n")))
			.isInstanceOf(RejectedValueException.class)
			.hasMessageContaining("idempotency.encryption.keys.old")
			.hasMessageContaining("same key as new")
			.hasMessageNotContaining(KEY);
	}

	@Test
	void keysAreNotPrinted() {
		assertThat(new Encryption("k", Map.of("k", KEY)).toString()).contains("k").doesNotContain(KEY);
	}

}
