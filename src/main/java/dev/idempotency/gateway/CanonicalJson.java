package dev.idempotency.gateway;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.idempotency.gateway.CanonicalOctets.Slice;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * A digest that two JSON documents share exactly if they mean the same (RFC 8259): order
 * of members, white space, escapes and the spelling of numbers do not matter; the order
 * of elements does. Numbers are compared by digits and exponent, strings by their UTF-16
 * code units, so that half a surrogate pair is itself and nothing else.
 *
 * <p>
 * What is no single valid JSON text in UTF-8, has a byte order mark, two members of one
 * name, an absurd exponent, or is nested deeper than the parser goes, has no meaning that
 * could be relied upon, and no digest.
 *
 * <p>
 * A document is written down in a canonical form while it is read. An object's members
 * are sorted when it ends; a long object is replaced by its hash, so that no octet is
 * copied over and over, however deep it lies.
 */
final class CanonicalJson {

	private static final JsonFactory FACTORY = JsonFactory.builder()
		// Names of strangers do not belong into a table that outlives the request.
		.disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
		.streamReadConstraints(StreamReadConstraints.builder()
			// Sizes are bounded by the body, and no number is ever converted.
			.maxNumberLength(Integer.MAX_VALUE)
			.maxStringLength(Integer.MAX_VALUE)
			.maxNameLength(Integer.MAX_VALUE)
			.build())
		.build();

	private final JsonExclusions exclusions;

	CanonicalJson(JsonExclusions exclusions) {
		this.exclusions = exclusions;
	}

	/**
	 * Digests a document.
	 * @param body the octets of the content
	 * @return 32 octets, or nothing if it cannot be compared by its meaning
	 */
	Optional<byte[]> digest(byte[] body) {
		try {
			CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
			try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text.array(), text.arrayOffset(),
					text.length())) {
				return new Reader(parser).document(this.exclusions);
			}
		}
		catch (CharacterCodingException | JacksonException | IncomparableJsonException ex) {
			return Optional.empty();
		}
	}

	/** One pass through one document. */
	private static final class Reader {

		private final JsonParser parser;

		private final CanonicalOctets out = new CanonicalOctets();

		Reader(JsonParser parser) {
			this.parser = parser;
		}

		Optional<byte[]> document(JsonExclusions exclusions) {
			JsonToken first = this.parser.nextToken();
			if (first == null) {
				return Optional.empty();
			}
			value(first, exclusions);
			if (this.parser.nextToken() != null) {
				return Optional.empty();
			}
			leaveOut(0, exclusions);
			return Optional.of(this.out.sha256());
		}

		private void value(JsonToken token, @Nullable JsonExclusions place) {
			switch (token) {
				case START_OBJECT -> object(place);
				case START_ARRAY -> array(place);
				case VALUE_STRING -> string();
				case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
				case VALUE_TRUE -> this.out.tag('t');
				case VALUE_FALSE -> this.out.tag('f');
				case VALUE_NULL -> this.out.tag('0');
				default -> throw new IllegalStateException("not the beginning of a value: " + token);
			}
		}

		private void string() {
			this.out.tag('s');
			this.out.text(this.parser.getStringCharacters(), this.parser.getStringOffset(),
					this.parser.getStringLength());
		}

		private void number() {
			this.out.tag('n');
			this.out.number(DecimalNumber.canonical(this.parser.getString()));
		}

		private void array(@Nullable JsonExclusions place) {
			this.out.tag('[');
			int index = 0;
			for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
				JsonExclusions inner = (place != null) ? place.element(index++) : null;
				int begin = this.out.size();
				value(token, inner);
				leaveOut(begin, inner);
			}
			this.out.tag(']');
		}

		private void object(@Nullable JsonExclusions place) {
			int begin = this.out.size();
			Map<String, Slice> members = new TreeMap<>();
			while (next() != JsonToken.END_OBJECT) {
				String name = this.parser.currentName();
				JsonExclusions inner = (place != null) ? place.member(name) : null;
				int from = this.out.size();
				this.out.text(name.toCharArray(), 0, name.length());
				value(next(), inner);
				leaveOut(from, inner);
				if (members.put(name, new Slice(from, this.out.size())) != null) {
					throw new IncomparableJsonException("two members of one name");
				}
			}
			this.out.object(begin, members.values());
		}

		private void leaveOut(int begin, @Nullable JsonExclusions place) {
			if (place != null && place.isExcluded()) {
				this.out.truncate(begin);
			}
		}

		private JsonToken next() {
			JsonToken token = this.parser.nextToken();
			if (token == null) {
				throw new IllegalStateException("the parser ended inside a value");
			}
			return token;
		}

	}

}
