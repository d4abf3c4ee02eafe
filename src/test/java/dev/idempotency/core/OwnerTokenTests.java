package dev.idempotency.core;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The fencing token. */
class OwnerTokenTests {

	@Test
	void no_two_are_alike_whichever_threads_draw_them() {
		Set<OwnerToken> tokens = ConcurrentHashMap.newKeySet();
		IntStream.range(0, 100_000).parallel().forEach((i) -> tokens.add(OwnerToken.random()));
		assertThat(tokens).hasSize(100_000);
	}

	@Test
	void its_octets_are_its_two_halves_the_high_one_first() {
		assertThat(new OwnerToken(0x0102030405060708L, 0x090A0B0C0D0E0F10L).bytes()).containsExactly(1, 2, 3, 4, 5, 6,
				7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	}

}
