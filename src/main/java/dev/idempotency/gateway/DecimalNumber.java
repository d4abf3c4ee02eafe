package dev.idempotency.gateway;

/**
 * A JSON number by its exact value: the shortest string of digits and the power of ten it
 * is multiplied by. Nothing is ever calculated with it, so that neither precision is lost
 * nor a large exponent costs anything.
 */
final class DecimalNumber {

	private static final int MAX_EXPONENT_DIGITS = 17;

	private DecimalNumber() {
	}

	/**
	 * The spelling that all numbers of one value share.
	 * @param number a number as it stands in a valid JSON document
	 * @return {@code 0}, or sign, digits without zeros at either end, {@code e}, exponent
	 * @throws IncomparableJsonException if the exponent has more digits than anybody
	 * needs
	 */
	static String canonical(String number) {
		int exponentAt = exponentAt(number);
		String mantissa = number.substring(0, exponentAt);
		boolean negative = mantissa.startsWith("-");
		int point = mantissa.indexOf('.');
		String digits = negative ? mantissa.substring(1).replace(".", "") : mantissa.replace(".", "");
		int begin = 0;
		while (begin < digits.length() && digits.charAt(begin) == '0') {
			begin++;
		}
		int end = digits.length();
		while (end > begin && digits.charAt(end - 1) == '0') {
			end--;
		}
		if (begin == end) {
			return "0";
		}
		long fraction = (point < 0) ? 0 : mantissa.length() - point - 1;
		long exponent = exponent(number, exponentAt) - fraction + (digits.length() - end);
		return (negative ? "-" : "") + digits.substring(begin, end) + "e" + exponent;
	}

	private static int exponentAt(String number) {
		int at = number.indexOf('e');
		if (at < 0) {
			at = number.indexOf('E');
		}
		return (at < 0) ? number.length() : at;
	}

	private static long exponent(String number, int at) {
		if (at == number.length()) {
			return 0;
		}
		int begin = at + 1;
		boolean negative = number.charAt(begin) == '-';
		if (negative || number.charAt(begin) == '+') {
			begin++;
		}
		while (begin < number.length() && number.charAt(begin) == '0') {
			begin++;
		}
		if (number.length() - begin > MAX_EXPONENT_DIGITS) {
			throw new IncomparableJsonException("an exponent of " + (number.length() - begin) + " digits");
		}
		long exponent = (begin == number.length()) ? 0 : Long.parseLong(number, begin, number.length(), 10);
		return negative ? -exponent : exponent;
	}

}
