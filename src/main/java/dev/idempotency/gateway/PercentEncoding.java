package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Brings spellings of one URI component together (RFC 3986, section 6.2.2). */
final class PercentEncoding {

	private static final HexFormat HEX = HexFormat.of().withUpperCase();

	private static final int NONE = -1;

	private PercentEncoding() {
	}

	/**
	 * The spelling that keeps the meaning of every octet: unreserved characters are
	 * decoded, hexadecimal digits are upper case. A reserved character and its encoding
	 * stay different.
	 * @param component a path
	 * @return its normal form
	 */
	static String normalized(String component) {
		if (component.indexOf('%') < 0) {
			return component;
		}
		StringBuilder out = new StringBuilder(component.length());
		for (int i = 0; i < component.length(); i++) {
			int octet = encodedOctet(component, i);
			if (octet == NONE) {
				out.append(component.charAt(i));
			}
			else {
				append(out, octet);
				i += 2;
			}
		}
		return out.toString();
	}

	/**
	 * The spelling that names or values of a query have in common if they decode to the
	 * same octets. A plus sign is left alone, because it means a space to some and itself
	 * to others; a percent sign that encodes nothing is doubled, so that it meets no
	 * other spelling.
	 * @param part a name or a value
	 * @return its canonical form
	 */
	static String canonical(String part) {
		StringBuilder out = new StringBuilder(part.length());
		for (int i = 0; i < part.length();) {
			int octet = encodedOctet(part, i);
			if (octet != NONE) {
				append(out, octet);
				i += 3;
			}
			else {
				int character = part.codePointAt(i);
				appendLiteral(out, character);
				i += Character.charCount(character);
			}
		}
		return out.toString();
	}

	private static void appendLiteral(StringBuilder out, int character) {
		if (character == '+' || isUnreserved(character)) {
			out.append((char) character);
		}
		else if (character == '%') {
			out.append("%%");
		}
		else {
			for (byte octet : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
				append(out, octet & 0xFF);
			}
		}
	}

	private static void append(StringBuilder out, int octet) {
		if (isUnreserved(octet)) {
			out.append((char) octet);
		}
		else {
			out.append('%').append(HEX.toHighHexDigit(octet)).append(HEX.toLowHexDigit(octet));
		}
	}

	private static int encodedOctet(String text, int at) {
		boolean encoded = text.charAt(at) == '%' && at + 2 < text.length() && HexFormat.isHexDigit(text.charAt(at + 1))
				&& HexFormat.isHexDigit(text.charAt(at + 2));
		return encoded ? HexFormat.fromHexDigits(text, at + 1, at + 3) : NONE;
	}

	private static boolean isUnreserved(int c) {
		return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0;
	}

}
