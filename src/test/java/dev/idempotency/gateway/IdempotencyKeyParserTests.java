package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

import dev.idempotency.core.IdempotencyPolicy.KeyFormat;
import dev.idempotency.core.IdempotencyPolicy.KeyRules;
import dev.idempotency.core.IdempotencyPolicy.KeySyntax;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class IdempotencyKeyParserTests {

	private static final String HEADER = "Idempotency-Key";

	private static final String ALIAS = "Cko-Idempotency-Key";

	private static final String UUID = "8e03978e-40d5-43dd-bc93-6894a57f9324";

	@ParameterizedTest
	@MethodSource
	void decodesQuotedAndBareKeys(String raw, String key) {
		assertThat(present(parse(KeySyntax.LENIENT, raw)).key().value()).isEqualTo(key);
	}

	static List<Arguments> decodesQuotedAndBareKeys() {
		return List.of(arguments("\"abc\"", "abc"), arguments("abc", "abc"), arguments("\"a b\"", "a b"),
				arguments("\" \"", " "), arguments("\"a,b;c\"", "a,b;c"), arguments("\"a\\\"b\\\\c\"", "a\"b\\c"),
				arguments("?1", "?1"), arguments(":YWJj:", ":YWJj:"), arguments("42", "42"),
				arguments("it's{}*%s!~", "it's{}*%s!~"), arguments("a=b", "a=b"));
	}

	@ParameterizedTest
	@ValueSource(strings = { ";v=1", "; v", ";a;b", ";*z-._9=?0", ";t=tok/en:!#", ";t=*x", ";b=:YQ==:", ";b=::",
			";d=@-15", ";n=-1.5", ";n=123456789012345", ";n=123456789012.125", ";s=\"x;\\\"y\"", ";u=%\"f%c3%bc r\"",
			";v=1  " })
	void ignoresValidParameters(String parameters) {
		assertThat(present(parse(KeySyntax.LENIENT, "\"abc\"" + parameters)).key().value()).isEqualTo("abc");
	}

	@ParameterizedTest
	@ValueSource(strings = { ";", "; ", ";V=1", ";v=", ";v= 1", ";v =1", " x", " ;v=1 x", ";v=1,", ";b=:YQ==",
			";b=:Y Q:", ";s=\"x", ";s=\"\\x\"", ";n=1234567890123456", ";n=1234567890123.1", ";n=1.2345", ";n=1.",
			";n=-", ";n=--1", ";q=?2", ";q=?", ";d=@", ";d=@1.5", ";u=%x", ";u=%\"%C3%BC\"", ";u=%\"%ff\"", ";u=%\"",
			";v=(1)", ";v=\u00e9", ", \"def\"", ",", "\"def\"" })
	void refusesWhatMayNotFollowAString(String rest) {
		assertInvalid(parse(KeySyntax.LENIENT, "\"abc\"" + rest), "abc");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t ", "\"\"", "\"\";v=1", "\"", "\"abc", "abc\"", "\"ab\\", "\"a\\n\"",
			"\"a\\x41\"", "a b", "a,b", "a;b", "a\\b", "\"a\tb\"", "\"a\rb\"", "a\u0000b", "\"a\u007fb\"", "a\u007f",
			"caf\u00e9", "\"caf\u00e9\"", "\u00a0", "'abc\"" })
	void refusesWhatIsNoKey(String raw) {
		assertInvalid(parse(KeySyntax.LENIENT, raw), "caf");
	}

	@ParameterizedTest
	@ValueSource(strings = { "abc", "?1", ":YWJj:", "42", "@1659578233", "(\"abc\")", "%\"abc\"", "'abc'" })
	void strictSyntaxRefusesWhatIsNoString(String raw) {
		assertInvalid(parse(KeySyntax.STRICT, raw), "abc");
	}

	@Test
	void strictSyntaxTakesTheQuotedForm() {
		assertThat(present(parse(KeySyntax.STRICT, "\"abc\"")).key().value()).isEqualTo("abc");
	}

	@Test
	void aRequestWithoutTheHeaderHasNoKey() {
		assertThat(parse(KeySyntax.LENIENT)).isInstanceOf(PresentedKey.Absent.class);
	}

	@Test
	void twoLinesAreRefusedEvenIfEqual() {
		assertInvalid(parse(KeySyntax.LENIENT, "abc", "abc"), "abc");
	}

	@Test
	void theRawOctetsComeBackWithoutTheWhiteSpaceAround() {
		assertThat(present(parse(KeySyntax.LENIENT, "  \"a\\\"b\";v=1\t ")).raw()).isEqualTo("\"a\\\"b\";v=1");
	}

	@Test
	void keysAreCaseSensitive() {
		assertThat(present(parse(KeySyntax.LENIENT, "abc")).key())
			.isNotEqualTo(present(parse(KeySyntax.LENIENT, "ABC")).key());
	}

	@Test
	void theLimitCountsTheDecodedCharacters() {
		String longest = "\"" + "\\\"".repeat(10) + "\"";
		KeyRules rules = rules(KeySyntax.LENIENT, KeyFormat.ANY, 10);
		assertThat(parse(rules, headers(HEADER, longest))).isInstanceOf(PresentedKey.Present.class);
		assertThat(parse(rules, headers(HEADER, "\"" + "\\\"".repeat(11) + "\"")))
			.isInstanceOf(PresentedKey.Invalid.class);
		assertThat(parse(rules, headers(HEADER, "x".repeat(11)))).isInstanceOf(PresentedKey.Invalid.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { UUID, "\"" + UUID + "\"", "8E03978E-40D5-43DD-BC93-6894A57F9324" })
	void uuidFormatTakesUuidsInAnyCase(String raw) {
		assertThat(parse(rules(KeySyntax.LENIENT, KeyFormat.UUID, 255), headers(HEADER, raw)))
			.isInstanceOf(PresentedKey.Present.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "order-17", "8e03978e40d543ddbc936894a57f9324", "{" + UUID + "}", UUID + "0",
			"8e03978g-40d5-43dd-bc93-6894a57f9324", "1-1-1-1-1" })
	void uuidFormatRefusesOtherKeysAndSaysSo(String raw) {
		PresentedKey found = parse(rules(KeySyntax.LENIENT, KeyFormat.UUID, 255), headers(HEADER, raw));
		assertInvalid(found, raw);
		assertThat(((PresentedKey.Invalid) found).detail()).contains("uuid");
	}

	@Test
	void anAliasCarriesTheKeyUnderItsOwnName() {
		PresentedKey.Present found = present(parse(KeySyntax.LENIENT, headers("cko-idempotency-KEY", "abc")));
		assertThat(found.headerName()).isEqualTo(ALIAS);
	}

	@Test
	void aliasAndCanonicalHeaderMayRepeatOneAnother() {
		HttpHeaders headers = headers(ALIAS, "abc");
		headers.add(HEADER, "\"abc\"");
		PresentedKey.Present found = present(parse(KeySyntax.LENIENT, headers));
		assertThat(found.headerName()).isEqualTo(HEADER);
		assertThat(found.raw()).isEqualTo("\"abc\"");
	}

	@Test
	void aliasAndCanonicalHeaderMayNotContradictOneAnother() {
		HttpHeaders headers = headers(HEADER, "abc");
		headers.add(ALIAS, "abd");
		assertInvalid(parse(KeySyntax.LENIENT, headers), "abc");
	}

	@Test
	void aMalformedAliasIsNotForgivenForAGoodCanonicalHeader() {
		HttpHeaders headers = headers(HEADER, "abc");
		headers.add(ALIAS, "");
		assertInvalid(parse(KeySyntax.LENIENT, headers), "abc");
	}

	@Test
	void anAliasThatIsTheCanonicalNameIsReadOnce() {
		KeyRules rules = new KeyRules(HEADER, List.of("idempotency-key", ALIAS), Set.of("POST"), true, KeyFormat.ANY,
				255, KeySyntax.LENIENT);
		assertThat(IdempotencyKeyParser.names(rules)).containsExactly(HEADER, ALIAS);
	}

	@Test
	void aLongValueOverflowsNoStack() {
		String raw = "\"" + "\\\\".repeat(100_000) + "\"" + ";a=1".repeat(100_000);
		assertThat(present(parse(rules(KeySyntax.LENIENT, KeyFormat.ANY, 100_000), headers(HEADER, raw))).key().value())
			.hasSize(100_000);
	}

	@Test
	void aKeyIsNeverPrinted() {
		assertThat(parse(KeySyntax.LENIENT, "zebra-77").toString()).doesNotContain("zebra");
	}

	@Test
	void keysSentAsUtf8AreRefused() {
		String latin1 = new String("\"\ud83d\ude00\"".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
		assertInvalid(parse(KeySyntax.LENIENT, latin1), "\ud83d\ude00");
	}

	private static PresentedKey parse(KeySyntax syntax, String... lines) {
		HttpHeaders headers = new HttpHeaders();
		for (String line : lines) {
			headers.add(HEADER, line);
		}
		return parse(syntax, headers);
	}

	private static PresentedKey parse(KeySyntax syntax, HttpHeaders headers) {
		return parse(rules(syntax, KeyFormat.ANY, 255), headers);
	}

	private static PresentedKey parse(KeyRules rules, HttpHeaders headers) {
		return new IdempotencyKeyParser(rules).parse(headers);
	}

	private static KeyRules rules(KeySyntax syntax, KeyFormat format, int maxLength) {
		return new KeyRules(HEADER, List.of(ALIAS), Set.of("POST"), true, format, maxLength, syntax);
	}

	private static HttpHeaders headers(String name, String value) {
		HttpHeaders headers = new HttpHeaders();
		headers.add(name, value);
		return headers;
	}

	private static PresentedKey.Present present(PresentedKey found) {
		assertThat(found).isInstanceOf(PresentedKey.Present.class);
		return (PresentedKey.Present) found;
	}

	private static void assertInvalid(PresentedKey found, String secret) {
		assertThat(found).isInstanceOf(PresentedKey.Invalid.class);
		assertThat(((PresentedKey.Invalid) found).detail()).contains(HEADER).contains("ccept").doesNotContain(secret);
	}

}
