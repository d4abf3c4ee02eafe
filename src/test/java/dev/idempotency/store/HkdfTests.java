package dev.idempotency.store;

import java.util.HexFormat;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HkdfTests {

	@Test
	void derives_what_rfc_5869_says_in_appendix_a_1() {
		byte[] secret = hex("0b".repeat(22));
		assertThat(Hkdf.derive(secret, hex("000102030405060708090a0b0c"), hex("f0f1f2f3f4f5f6f7f8f9")))
			.isEqualTo(hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"));
	}

	private static byte[] hex(String digits) {
		return HexFormat.of().parseHex(digits);
	}

}
