package dev.idempotency.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.idempotency.core.Claim;
import dev.idempotency.core.Fingerprint;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Records that were written once stay readable: each file holds one as hexadecimal
 * digits, and none of them is ever written again. A new version gets new files.
 */
class RecordFormatTests {

	private static final Path FILES = Path.of("src/test/resources/dev/idempotency/store/records");

	private static final RecordId ID = RecordId.of(List.of("format"));

	private static final RecordCipher CIPHER = new RecordCipher("2026-11", Map.of("2026-11", key()));

	@ParameterizedTest
	@EnumSource
	void a_record_written_once_is_read(Sample sample) throws IOException {
		assertThat(read(sample)).usingRecursiveComparison().isEqualTo(sample.record);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "DONE_COMPRESSED", "DONE_ENCRYPTED" })
	void and_would_be_written_to_the_same_octets_today(Sample sample) throws IOException {
		assertThat(HexFormat.of().formatHex(RecordCodec.encode(sample.record))).isEqualTo(sample.file());
	}

	@Test
	void each_file_is_tried() throws IOException {
		try (var files = Files.list(FILES)) {
			assertThat(files.map((file) -> file.getFileName().toString()))
				.containsExactlyInAnyOrderElementsOf(Arrays.stream(Sample.values()).map(Sample::fileName).toList());
		}
	}

	private static IdempotencyRecord read(Sample sample) throws IOException {
		IdempotencyRecord kept = RecordCodec.decode(HexFormat.of().parseHex(sample.file()), ID);
		return new RecordPacking(true, CIPHER).unpack(ID, kept);
	}

	private static byte[] key() {
		byte[] key = new byte[RecordCipher.KEY_LENGTH];
		for (int i = 0; i < key.length; i++) {
			key[i] = (byte) i;
		}
		return key;
	}

	/** What the files hold. */
	enum Sample {

		RUNNING(record(State.RUNNING, false, 0, null)),

		RUNNING_TAINTED(record(State.RUNNING, true, 2, null)),

		DONE(record(State.DONE, false, 1, answer("{\"id\":\"pay_1\"}"))),

		DONE_TOMBSTONE(record(State.DONE, false, 1, StoredResponse.tombstone(201))),

		DONE_COMPRESSED(record(State.DONE, false, 1, answer("0123456789".repeat(200)))),

		DONE_ENCRYPTED(record(State.DONE, false, 1, answer("{\"id\":\"pay_1\"}"))),

		UNKNOWN(record(State.UNKNOWN, true, 3, null)),

		UNKNOWN_WITH_ANSWER(record(State.UNKNOWN, true, 1, answer("upstream timed out")));

		private final IdempotencyRecord record;

		Sample(IdempotencyRecord record) {
			this.record = record;
		}

		String fileName() {
			return "version-1-" + name().toLowerCase(java.util.Locale.ROOT).replace('_', '-') + ".hex";
		}

		String file() throws IOException {
			try (InputStream in = Objects
				.requireNonNull(RecordFormatTests.class.getResourceAsStream("records/" + fileName()))) {
				return new String(in.readAllBytes(), StandardCharsets.US_ASCII).replaceAll("\\s", "");
			}
		}

		private static IdempotencyRecord record(State state, boolean tainted, int attempts, StoredResponse answer) {
			byte[] digest = new byte[Fingerprint.LENGTH];
			Arrays.fill(digest, (byte) 0xD1);
			byte[] raw = new byte[Fingerprint.LENGTH];
			Arrays.fill(raw, (byte) 0x4A);
			return new IdempotencyRecord(state, new OwnerToken(0x0102030405060708L, 0x090A0B0C0D0E0F10L),
					Duration.ofHours(24), Duration.ofSeconds(30), ID.check(), new Fingerprint(7, digest, raw), tainted,
					attempts, answer);
		}

		private static StoredResponse answer(String body) {
			return new StoredResponse(201, List.of(new Header("Content-Type", "application/json"),
					new Header("X-Twice", "a"), new Header("X-Twice", "b")), body.getBytes(StandardCharsets.UTF_8));
		}

	}

}
