package dev.idempotency.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayDecodingTests {

	private static final byte[] TEXT = "{\"id\":\"packed\"}".repeat(40).getBytes(StandardCharsets.UTF_8);

	private static final Header GZIP = new Header("Content-Encoding", "gzip");

	private final ReplayDecoding decoding = new ReplayDecoding(10_000);

	@ParameterizedTest
	@ValueSource(strings = { "identity", "", "br", "gzip;q=0", "GZIP; Q=0.000", "*;q=0", "br, identity;q=0.5",
			"*, gzip;q=0" })
	void aClientThatDoesNotAcceptGzipGetsTheTextItself(String accepted) {
		StoredResponse fitted = this.decoding.fit(packed(GZIP), accepting(accepted));
		assertThat(fitted.body()).isEqualTo(TEXT);
		assertThat(fitted.headers()).extracting(Header::name).doesNotContain("Content-Encoding").contains("Vary");
		assertThat(fitted.status()).isEqualTo(201);
	}

	@ParameterizedTest
	@ValueSource(strings = { "gzip", "br, GZip;q=0.5", "*", "x-gzip", "*;q=0.1", "identity;q=0, gzip", "gzip;q=0.001" })
	void aClientThatAcceptsGzipGetsTheStoredOctets(String accepted) {
		StoredResponse stored = packed(GZIP);
		assertThat(this.decoding.fit(stored, accepting(accepted))).isSameAs(stored);
	}

	@Test
	void aClientThatSaysNothingGetsWhatTheFirstOneGot() {
		StoredResponse stored = packed(GZIP);
		assertThat(this.decoding.fit(stored, new HttpHeaders())).isSameAs(stored);
	}

	@Test
	void unlessTheAnswerWasChosenByWhatTheFirstOneSaid() {
		StoredResponse stored = packed(GZIP, new Header("Vary", "Origin, accept-encoding"));
		StoredResponse fitted = this.decoding.fit(stored, new HttpHeaders());
		assertThat(fitted.body()).isEqualTo(TEXT);
		assertThat(fitted.headers()).containsExactly(new Header("Vary", "Origin, accept-encoding"));
	}

	@Test
	void whatSpeaksOfThePackedOctetsDoesNotSpeakOfTheText() {
		StoredResponse stored = packed(GZIP, new Header("ETag", "\"v1\""), new Header("Content-Digest", "x"),
				new Header("Repr-Digest", "x"), new Header("Content-MD5", "x"), new Header("X-Foo", "1"));
		assertThat(this.decoding.fit(stored, accepting("identity")).headers()).containsExactly(
				new Header("ETag", "W/\"v1\""), new Header("X-Foo", "1"), new Header("Vary", "Accept-Encoding"));
	}

	@Test
	void aWeakTagStaysAsItIs() {
		StoredResponse stored = packed(GZIP, new Header("ETag", "W/\"v1\""));
		assertThat(this.decoding.fit(stored, accepting("identity")).headers()).contains(new Header("ETag", "W/\"v1\""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "br", "gzip, br", "br, gzip", "deflate", "identity" })
	void otherCodingsAreLeftAlone(String coding) {
		StoredResponse stored = packed(new Header("Content-Encoding", coding));
		assertThat(this.decoding.fit(stored, accepting("identity"))).isSameAs(stored);
	}

	@Test
	void twoCodingsOnTwoLinesAreLeftAlone() {
		StoredResponse stored = packed(GZIP, new Header("content-encoding", "br"));
		assertThat(this.decoding.fit(stored, accepting("identity"))).isSameAs(stored);
	}

	@Test
	void aBodyThatWouldBecomeTooLargeIsReplayedAsStored() {
		StoredResponse bomb = new StoredResponse(200, List.of(GZIP), gzip(new byte[10_001]));
		assertThat(this.decoding.fit(bomb, accepting("identity"))).isSameAs(bomb);
		StoredResponse largest = new StoredResponse(200, List.of(GZIP), gzip(new byte[10_000]));
		assertThat(this.decoding.fit(largest, accepting("identity")).body()).hasSize(10_000);
	}

	@Test
	void aDamagedBodyIsReplayedAsStored() {
		byte[] octets = gzip(TEXT);
		for (byte[] damaged : List.of(Arrays.copyOf(octets, octets.length - 4), TEXT, new byte[0])) {
			StoredResponse stored = new StoredResponse(200, List.of(GZIP), damaged);
			assertThat(this.decoding.fit(stored, accepting("identity"))).isSameAs(stored);
		}
	}

	@Test
	void aPartOfARepresentationIsReplayedAsStored() {
		StoredResponse part = new StoredResponse(206, List.of(GZIP), gzip(TEXT));
		assertThat(this.decoding.fit(part, accepting("identity"))).isSameAs(part);
	}

	private static StoredResponse packed(Header... headers) {
		return new StoredResponse(201, new ArrayList<>(List.of(headers)), gzip(TEXT));
	}

	private static HttpHeaders accepting(String value) {
		HttpHeaders headers = new HttpHeaders();
		headers.add("Accept-Encoding", value);
		return headers;
	}

	private static byte[] gzip(byte[] octets) {
		ByteArrayOutputStream packed = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
			out.write(octets);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return packed.toByteArray();
	}

}
