package dev.idempotency.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.function.IntPredicate;

/**
 * Reads a header value that has to be one structured-field string, with parameters after
 * it that are checked and ignored (RFC 9651, section 4.2.3).
 */
final class StructuredFieldString {

	private static final int END = -1;

	private static final int MAX_INTEGER_DIGITS = 15;

	private static final int MAX_WHOLE_DIGITS = 12;

	private static final int MAX_FRACTION_DIGITS = 3;

	private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~:/";

	private final String input;

	private int at;

	private StructuredFieldString(String input) {
		this.input = input;
	}

	/**
	 * Decodes the string.
	 * @param field the value of the header, without white space around it
	 * @return the characters between the quotes, escapes resolved
	 * @throws ParseException if it is anything else; the message does not repeat the
	 * value
	 */
	static String decode(String field) throws ParseException {
		StructuredFieldString reader = new StructuredFieldString(field);
		if (reader.peek() != '"') {
			throw reader.malformed("it does not begin with a quote");
		}
		String value = reader.string();
		reader.parameters();
		reader.skipSpaces();
		if (reader.peek() != END) {
			throw reader.malformed("something follows the closing quote");
		}
		return value;
	}

	private String string() throws ParseException {
		StringBuilder value = new StringBuilder();
		for (this.at++;; this.at++) {
			int c = peek();
			if (c == '"') {
				this.at++;
				return value.toString();
			}
			if (c == '\\') {
				this.at++;
				c = peek();
				if (c != '"' && c != '\\') {
					throw malformed("a backslash may only stand before a quote or a backslash");
				}
			}
			value.append(printable(c));
		}
	}

	private void parameters() throws ParseException {
		while (peek() == ';') {
			this.at++;
			skipSpaces();
			expect((c) -> isLowerCase(c) || c == '*', "a parameter has no valid name");
			skip((c) -> isLowerCase(c) || isDigit(c) || "_-.*".indexOf(c) >= 0);
			if (peek() == '=') {
				this.at++;
				parameterValue();
			}
		}
	}

	private void parameterValue() throws ParseException {
		int first = peek();
		switch (first) {
			case '"' -> string();
			case '?' -> bool();
			case ':' -> bytes();
			case '@' -> date();
			case '%' -> displayString();
			default -> {
				if (first == '-' || isDigit(first)) {
					number(MAX_FRACTION_DIGITS);
				}
				else {
					token();
				}
			}
		}
	}

	private void bool() throws ParseException {
		this.at++;
		expect((c) -> c == '0' || c == '1', "a parameter has no valid value");
	}

	private void bytes() throws ParseException {
		this.at++;
		skip((c) -> isLetter(c) || isDigit(c) || "+/=".indexOf(c) >= 0);
		expect((c) -> c == ':', "a parameter has no valid value");
	}

	private void date() throws ParseException {
		this.at++;
		number(0);
	}

	private void number(int fractionDigits) throws ParseException {
		if (peek() == '-') {
			this.at++;
		}
		int whole = skip(StructuredFieldString::isDigit);
		boolean valid = whole > 0 && whole <= MAX_INTEGER_DIGITS;
		if (peek() == '.') {
			this.at++;
			int fraction = skip(StructuredFieldString::isDigit);
			valid = valid && whole <= MAX_WHOLE_DIGITS && fraction > 0 && fraction <= fractionDigits;
		}
		if (!valid) {
			throw malformed("a parameter has no valid value");
		}
	}

	private void token() throws ParseException {
		expect((c) -> isLetter(c) || c == '*', "a parameter has no valid value");
		skip((c) -> isLetter(c) || isDigit(c) || TOKEN_MARKS.indexOf(c) >= 0);
	}

	private void displayString() throws ParseException {
		this.at++;
		expect((c) -> c == '"', "a parameter has no valid value");
		ByteBuffer octets = ByteBuffer.allocate(this.input.length());
		while (peek() != '"') {
			char c = printable(peek());
			this.at++;
			octets.put((byte) ((c == '%') ? hexDigit() * 16 + hexDigit() : c));
		}
		this.at++;
		try {
			StandardCharsets.UTF_8.newDecoder().decode(octets.flip());
		}
		catch (CharacterCodingException ex) {
			throw malformed("a parameter has no valid value");
		}
	}

	private int hexDigit() throws ParseException {
		int digit = "0123456789abcdef".indexOf(peek());
		if (digit < 0) {
			throw malformed("a parameter has no valid value");
		}
		this.at++;
		return digit;
	}

	private char printable(int c) throws ParseException {
		if (c == END) {
			throw malformed("the closing quote is missing");
		}
		if (c < ' ' || c > '~') {
			throw malformed("it has characters outside printable ASCII");
		}
		return (char) c;
	}

	private void expect(IntPredicate wanted, String complaint) throws ParseException {
		if (!wanted.test(peek())) {
			throw malformed(complaint);
		}
		this.at++;
	}

	private int skip(IntPredicate wanted) {
		int begin = this.at;
		while (peek() != END && wanted.test(peek())) {
			this.at++;
		}
		return this.at - begin;
	}

	private void skipSpaces() {
		skip((c) -> c == ' ');
	}

	private int peek() {
		return (this.at < this.input.length()) ? this.input.charAt(this.at) : END;
	}

	private ParseException malformed(String complaint) {
		return new ParseException(complaint, this.at);
	}

	private static boolean isLowerCase(int c) {
		return c >= 'a' && c <= 'z';
	}

	private static boolean isLetter(int c) {
		return isLowerCase(c | 0x20);
	}

	private static boolean isDigit(int c) {
		return c >= '0' && c <= '9';
	}

}
