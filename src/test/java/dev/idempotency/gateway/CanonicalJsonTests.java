package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class CanonicalJsonTests {

	@ParameterizedTest
	@MethodSource
	void documentsThatMeanTheSameAreOne(String one, String other) {
		assertThat(digest(one)).isPresent().hasValueSatisfying((digest) -> assertThat(digest(other)).hasValue(digest));
	}

	static List<Arguments> documentsThatMeanTheSameAreOne() {
		return List.of(arguments("{\"a\":1,\"b\":{\"c\":3,\"d\":4}}", "{\"b\":{\"d\":4,\"c\":3},\"a\":1}"),
				arguments("{\"a\":\"caf\\u00e9\",\"b\":\"\\/\"}", "{ \"a\" : \"caf\u00e9\",\n\t\"b\":\"/\" }"),
				arguments("\"\\ud83d\\ude00\"", "\"\ud83d\ude00\""), arguments("{\"\\u0061\":1}", "{\"a\":1}"),
				arguments("{\"n\":1.0}", "{\"n\":1}"), arguments("[1E+2,-0.0]", "[100,-0]"), arguments("-0", "0"),
				arguments("1e999999999", "10e999999998"), arguments(" null\n", "null"), arguments("[ ]", "[]"),
				arguments(longObject("a", "b"), longObject("b", "a")));
	}

	@ParameterizedTest
	@MethodSource
	void documentsThatMeanDifferentThingsAreTwo(String one, String other) {
		assertThat(digest(one)).isPresent()
			.hasValueSatisfying((digest) -> assertThat(digest(other)).isPresent()
				.hasValueSatisfying((different) -> assertThat(different).isNotEqualTo(digest)));
	}

	static List<Arguments> documentsThatMeanDifferentThingsAreTwo() {
		return List.of(arguments("{\"a\":1,\"b\":null}", "{\"a\":1}"), arguments("{\"a\":[1,2]}", "{\"a\":[2,1]}"),
				arguments("1", "\"1\""), arguments("1", "[1]"), arguments("null", "\"null\""),
				arguments("true", "false"), arguments("{}", "[]"), arguments("[]", "[[]]"),
				arguments("[[],[]]", "[[[]]]"), arguments("[[1],2]", "[[1,2]]"),
				arguments("{\"a\":{},\"b\":1}", "{\"a\":{\"b\":1}}"), arguments("{\"a\":\"b\"}", "{\"b\":\"a\"}"),
				arguments("[\"a\",\"b\"]", "[\"ab\"]"), arguments("[1,2]", "[12]"),
				arguments("9007199254740992", "9007199254740993"), arguments("0.1", "0.10000000000000000001"),
				arguments("1e400", "1e401"), arguments("\"\\ud83d\"", "\"?\""), arguments("\"\\ud83d\"", "\"\\ud83e\""),
				arguments("\"e\\u0301\"", "\"\u00e9\""), arguments("{\"a\":0}", "{\"A\":0}"),
				arguments(longObject("a", "b"), longObject("a", "c")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "{\"a\":1,}", "{\"a\":NaN}", "{\"a\":1} x", "{\"a\":1}{}", "1 2", "01", "+1",
			".5", "1.", "1e", "-", "{'a':1}", "{a:1}", "[1,,2]", "[1", "{\"a\"", "\"a", "\"\t\"", "\"\\x\"",
			"\"\\u12\"", "nul", "// c\n1", "/**/1", "\ufeff{}", "{\"a\":1,\"a\":1}",
			"[{\"b\":{\"a\":1,\"\\u0061\":2}}]", "1e999999999999999999999" })
	void whatHasNoReliableMeaningHasNoDigest(String text) {
		assertThat(digest(text)).isEmpty();
	}

	@Test
	void octetsThatAreNoUtf8HaveNoDigest() {
		assertThat(digest(new byte[] { '"', (byte) 0xE9, '"' })).isEmpty();
		assertThat(digest(new byte[] { '"', (byte) 0xC0, (byte) 0x80, '"' })).isEmpty();
		assertThat(digest(new byte[] { '"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"' })).isEmpty();
		assertThat(digest("{}".getBytes(StandardCharsets.UTF_16))).isEmpty();
		assertThat(digest("[1]".getBytes(StandardCharsets.UTF_16LE))).isEmpty();
	}

	@Test
	void deepNestingIsBoundedAndOverflowsNoStack() {
		assertThat(digest("[".repeat(100) + "]".repeat(100))).isPresent();
		assertThat(digest("[".repeat(500_000) + "]".repeat(500_000))).isEmpty();
		assertThat(digest("{\"a\":".repeat(200_000) + "1" + "}".repeat(200_000))).isEmpty();
	}

	@Test
	void hostileDocumentsCostLittle() {
		String wide = "[" + "{},".repeat(340_000) + "{}]";
		String number = "1" + "0".repeat(1_000_000) + ".5";
		String exponents = "[" + "1e999999999,".repeat(80_000) + "1]";
		String deep = "{\"b\":".repeat(400) + "\"" + "x".repeat(1_000_000) + "\"" + ",\"a\":1}".repeat(400);
		for (String text : List.of(wide, number, exponents, deep)) {
			assertTimeout(Duration.ofSeconds(5), () -> assertThat(digest(text)).isPresent());
		}
	}

	@ParameterizedTest
	@MethodSource
	void excludedPlacesDoNotCount(List<String> pointers, String one, String other) {
		assertThat(digest(one, pointers)).isPresent()
			.hasValueSatisfying((digest) -> assertThat(digest(other, pointers)).hasValue(digest));
	}

	static List<Arguments> excludedPlacesDoNotCount() {
		return List.of(
				arguments(List.of("/ts", "/meta/trace"), "{\"a\":1,\"ts\":1,\"meta\":{\"trace\":\"x\",\"k\":1}}",
						"{\"a\":1,\"ts\":[2],\"meta\":{\"k\":1,\"trace\":\"y\"}}"),
				arguments(List.of("/ts"), "{\"a\":1,\"ts\":1}", "{\"a\":1}"),
				arguments(List.of("/meta/trace"), "{\"meta\":{\"trace\":1}}", "{\"meta\":{}}"),
				arguments(List.of("/a~1b", "/c~0d"), "{\"a/b\":1,\"c~d\":1}", "{\"a/b\":2,\"c~d\":2}"),
				arguments(List.of("/~01"), "{\"~1\":1}", "{\"~1\":2}"),
				arguments(List.of("/items/1/at"), "{\"items\":[{\"at\":1},{\"at\":1}]}",
						"{\"items\":[{\"at\":1},{\"at\":2}]}"),
				arguments(List.of("/0"), "[1,2]", "[3,2]"), arguments(List.of("/"), "{\"\":1}", "{\"\":2}"),
				arguments(List.of(""), "{\"a\":1}", "[2]"), arguments(List.of("/0"), "{\"0\":1}", "{\"0\":2}"));
	}

	@ParameterizedTest
	@MethodSource
	void everythingElseCounts(List<String> pointers, String one, String other) {
		assertThat(digest(one, pointers)).isPresent()
			.hasValueSatisfying((digest) -> assertThat(digest(other, pointers)).isPresent()
				.hasValueSatisfying((different) -> assertThat(different).isNotEqualTo(digest)));
	}

	static List<Arguments> everythingElseCounts() {
		return List.of(
				arguments(List.of("/ts", "/meta/trace"), "{\"a\":1,\"meta\":{\"k\":1}}",
						"{\"a\":1,\"meta\":{\"k\":2}}"),
				arguments(List.of("/meta/trace"), "{\"meta\":{\"trace\":1}}", "{}"),
				arguments(List.of("/ts"), "{\"a\":{\"ts\":1}}", "{\"a\":{\"ts\":2}}"),
				arguments(List.of("/a/0"), "{\"a\":[1,2]}", "{\"a\":[1,3]}"),
				arguments(List.of("/a/00", "/a/-"), "{\"a\":[1]}", "{\"a\":[2]}"),
				arguments(List.of("/a/b"), "{\"a\":1}", "{\"a\":2}"));
	}

	@Test
	void whatIsExcludedStillHasToBeSound() {
		assertThat(digest("{\"ts\":1,\"ts\":2}", List.of("/ts"))).isEmpty();
		assertThat(digest("{\"ts\":{\"a\":1,\"a\":2}}", List.of("/ts"))).isEmpty();
	}

	@Test
	void anySpellingOfADocumentIsTheSameDocument() {
		Random random = new Random(4711);
		for (int i = 0; i < 500; i++) {
			long seed = random.nextLong();
			String one = new Speller(new Random(seed), new Random(random.nextLong())).value(4);
			String other = new Speller(new Random(seed), new Random(random.nextLong())).value(4);
			assertThat(digest(one)).as(one).isPresent();
			assertThat(Arrays.equals(digest(one).orElseThrow(), digest(other).orElseThrow())).as(one + "\n" + other)
				.isTrue();
		}
	}

	@Test
	void anyDocumentCanBeRead() {
		Random random = new Random(815);
		byte[] alphabet = "{}[]\",:01.e-tn\\u \n".getBytes(StandardCharsets.US_ASCII);
		for (int i = 0; i < 20_000; i++) {
			byte[] text = new byte[random.nextInt(12)];
			for (int at = 0; at < text.length; at++) {
				text[at] = alphabet[random.nextInt(alphabet.length)];
			}
			assertThatNoException().isThrownBy(() -> digest(text));
		}
	}

	private static String longObject(String... names) {
		List<String> members = new ArrayList<>();
		for (String name : names) {
			members.add("\"" + name + "\":\"" + "x".repeat(100) + "\"");
		}
		return "{" + String.join(",", members) + "}";
	}

	private static Optional<byte[]> digest(String text) {
		return digest(text, List.of());
	}

	private static Optional<byte[]> digest(String text, List<String> excluded) {
		return new CanonicalJson(JsonExclusions.of(excluded)).digest(text.getBytes(StandardCharsets.UTF_8));
	}

	private static Optional<byte[]> digest(byte[] octets) {
		return new CanonicalJson(JsonExclusions.of(List.of())).digest(octets);
	}

	/** Writes one document, the content by one dice and the spelling by another. */
	private record Speller(Random content, Random spelling) {

		String value(int depth) {
			return space() + switch (this.content.nextInt((depth > 0) ? 7 : 5)) {
				case 0 -> "null";
				case 1 -> this.content.nextBoolean() ? "true" : "false";
				case 2, 3 -> number();
				case 4 -> string("s\u00e9\"\\/\n" + this.content.nextInt(100) + "\ud83d\ude00");
				case 5 -> array(depth);
				default -> object(depth);
			} + space();
		}

		private String array(int depth) {
			List<String> elements = new ArrayList<>();
			for (int i = this.content.nextInt(4); i > 0; i--) {
				elements.add(value(depth - 1));
			}
			return "[" + String.join(",", elements) + space() + "]";
		}

		private String object(int depth) {
			List<String> members = new ArrayList<>();
			for (int i = this.content.nextInt(5); i > 0; i--) {
				members.add(space() + string("m" + i) + space() + ":" + value(depth - 1));
			}
			Collections.shuffle(members, this.spelling);
			return "{" + String.join(",", members) + space() + "}";
		}

		private String number() {
			int value = this.content.nextInt(2000) - 1000;
			return switch (this.spelling.nextInt(4)) {
				case 0 -> value + ".0";
				case 1 -> value + "00e-2";
				case 2 -> value + "E+0";
				default -> Integer.toString(value);
			};
		}

		private String string(String text) {
			StringBuilder out = new StringBuilder("\"");
			for (char c : text.toCharArray()) {
				boolean escape = c < ' ' || c == '"' || c == '\\' || this.spelling.nextInt(4) == 0;
				boolean surrogate = Character.isSurrogate(c);
				out.append((escape || surrogate)
						? String.format("\\u%04" + (this.spelling.nextBoolean() ? "x" : "X"), (int) c)
						: Character.toString(c));
			}
			return out.append('"').toString();
		}

		private String space() {
			return List.of("", "", " ", "\n\t", "\r").get(this.spelling.nextInt(5));
		}

	}

}
