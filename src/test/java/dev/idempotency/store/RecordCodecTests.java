package dev.idempotency.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import dev.idempotency.core.Fingerprint;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RecordCodecTests {

	private static final RecordId ID = RecordSamples.id("codec");

	private static final IdempotencyRecord DONE = RecordSamples.done(RecordSamples.claim(ID), "made");

	private final Random random = new Random(4711);

	@Test
	void whatever_was_written_is_read_again() {
		for (int round = 0; round < 2000; round++) {
			IdempotencyRecord record = anyRecord();
			assertSame(RecordCodec.decode(RecordCodec.encode(record), ID), record);
		}
	}

	@Test
	void a_record_is_little_larger_than_its_answer() {
		for (int round = 0; round < 500; round++) {
			IdempotencyRecord record = anyRecord();
			StoredResponse answer = record.response();
			int own = (answer != null) ? size(answer) : 0;
			assertThat(RecordCodec.encode(record).length - own).isLessThanOrEqualTo(RecordCodec.OVERHEAD);
		}
		assertThat(RecordCodec.encode(RecordSamples.claim(ID))).hasSizeLessThanOrEqualTo(120);
		assertThat(RecordCodec.encode(DONE).length - size(DONE.response())).isLessThanOrEqualTo(120);
	}

	@Test
	void owner_and_state_stand_where_scripts_look_for_them() {
		byte[] octets = RecordCodec.encode(DONE);
		assertThat(Arrays.copyOfRange(octets, 4, 20)).isEqualTo(DONE.owner().bytes());
		assertThat(octets[3]).isEqualTo((byte) 2);
		assertThat(Arrays.copyOfRange(octets, 20, 26)).isEqualTo(new byte[] { 0, 0, 0, 9, 39, (byte) 0xC0 }); // 600,000
																												// ms
		assertThat(RecordCodec.owner(octets)).isEqualTo(DONE.owner());
		assertThat(RecordCodec.isDone(octets)).isTrue();
	}

	@Test
	void a_record_cut_short_anywhere_is_unreadable() {
		byte[] octets = RecordCodec.encode(DONE);
		for (int length = 0; length < octets.length; length++) {
			assertUnreadable(Arrays.copyOf(octets, length));
		}
	}

	@Test
	void a_record_with_any_bit_turned_is_unreadable() {
		byte[] octets = RecordCodec.encode(DONE);
		for (int bit = 0; bit < octets.length * 8; bit++) {
			byte[] damaged = octets.clone();
			damaged[bit / 8] ^= (byte) (1 << (bit % 8));
			assertUnreadable(damaged);
		}
	}

	@Test
	void octets_after_the_end_are_not_overlooked() {
		byte[] octets = RecordCodec.encode(DONE);
		assertUnreadable(Arrays.copyOf(octets, octets.length + 1));
		assertUnreadable(resealed(octets, octets.length + 1));
	}

	@Test
	void a_length_that_lies_is_found_out_before_memory_is_taken() {
		byte[] octets = RecordCodec.encode(DONE);
		int sealed = octets.length - 4;
		for (int at = 109; at + 5 <= sealed; at++) {
			byte[] lying = octets.clone();
			System.arraycopy(new byte[] { -1, -1, -1, -1, 7 }, 0, lying, at, 5);
			byte[] resealed = resealed(lying, octets.length);
			try {
				RecordCodec.decode(resealed, ID);
			}
			catch (UnreadableRecordException ex) {
				assertThat(ex.reason()).doesNotContain("made");
			}
		}
	}

	@Test
	void damage_behind_a_true_checksum_is_unreadable_too() {
		byte[] octets = RecordCodec.encode(DONE);
		for (int round = 0; round < 20_000; round++) {
			byte[] damaged = octets.clone();
			for (int i = 0; i <= this.random.nextInt(4); i++) {
				damaged[40 + this.random.nextInt(damaged.length - 44)] = (byte) this.random.nextInt();
			}
			try {
				RecordCodec.decode(resealed(damaged, octets.length), ID);
			}
			catch (UnreadableRecordException ex) {
				assertThat(ex.reason()).isNotEmpty();
			}
		}
	}

	@Test
	void anything_else_is_unreadable() {
		for (String other : List.of("", "garbage", "{", "null", "[]", "IG", "\u00ac\u00ed\u0000\u0005sr")) {
			assertUnreadable(other.getBytes(StandardCharsets.ISO_8859_1));
		}
		for (int round = 0; round < 2000; round++) {
			byte[] noise = new byte[this.random.nextInt(300)];
			this.random.nextBytes(noise);
			assertUnreadable(noise);
		}
	}

	@Test
	void a_newer_version_is_named() {
		byte[] octets = RecordCodec.encode(DONE);
		octets[2] = 2;
		assertThatExceptionOfType(UnreadableRecordException.class).isThrownBy(() -> RecordCodec.decode(octets, ID))
			.withMessage("its version 2 is not known here");
	}

	@Test
	void a_record_of_another_identity_is_unreadable() {
		byte[] octets = RecordCodec.encode(DONE);
		assertThatExceptionOfType(UnreadableRecordException.class)
			.isThrownBy(() -> RecordCodec.decode(octets, RecordSamples.id("other")))
			.withMessage("it belongs to another identity");
	}

	private static void assertSame(IdempotencyRecord read, IdempotencyRecord written) {
		assertThat(read.withResponse(null)).isEqualTo(written.withResponse(null));
		StoredResponse answer = written.response();
		if (answer == null) {
			assertThat(read.response()).isNull();
			return;
		}
		assertThat(read.response().status()).isEqualTo(answer.status());
		assertThat(read.response().headers()).isEqualTo(answer.headers());
		assertThat(read.response().body()).isEqualTo(answer.body());
	}

	private static void assertUnreadable(byte[] octets) {
		assertThatExceptionOfType(UnreadableRecordException.class).isThrownBy(() -> RecordCodec.decode(octets, ID));
	}

	/** The same octets cut or filled to a length, with a checksum that is right. */
	private static byte[] resealed(byte[] octets, int length) {
		RecordWriter writer = new RecordWriter(length);
		byte[] content = Arrays.copyOf(Arrays.copyOf(octets, octets.length - 4), length - 4);
		return writer.octets(content).sealed();
	}

	private static int size(StoredResponse answer) {
		int size = (answer.body() != null) ? answer.body().length : 0;
		for (Header header : answer.headers()) {
			// Two length fields belong to the line.
			size += header.name().getBytes(StandardCharsets.UTF_8).length
					+ header.value().getBytes(StandardCharsets.UTF_8).length + 4;
		}
		return size;
	}

	private IdempotencyRecord anyRecord() {
		byte[] digest = new byte[Fingerprint.LENGTH];
		byte[] raw = new byte[Fingerprint.LENGTH];
		this.random.nextBytes(digest);
		this.random.nextBytes(raw);
		State state = State.values()[this.random.nextInt(State.values().length)];
		return new IdempotencyRecord(state, OwnerToken.random(), anyTime(), anyTime(), ID.check(),
				new Fingerprint(this.random.nextInt(), digest, raw), this.random.nextBoolean(), anyCount(),
				(state == State.RUNNING || this.random.nextInt(4) == 0) ? null : anyResponse());
	}

	private StoredResponse anyResponse() {
		List<Header> headers = new ArrayList<>();
		for (int line = this.random.nextInt(8); line > 0; line--) {
			headers.add(new Header(anyText(20), anyText(300)));
		}
		byte[] body = new byte[this.random.nextInt(5000)];
		this.random.nextBytes(body);
		return new StoredResponse(this.random.nextInt(1000), headers, (this.random.nextInt(4) == 0) ? null : body);
	}

	private Duration anyTime() {
		return Duration.ofMillis(this.random.nextLong(1L << (1 + this.random.nextInt(47))));
	}

	private int anyCount() {
		return this.random.nextInt(1 << (1 + this.random.nextInt(29)));
	}

	private String anyText(int atMost) {
		int[] points = this.random.ints(this.random.nextInt(atMost), 0, 0x10FFFF)
			.filter((point) -> point < 0xD800 || point > 0xDFFF)
			.toArray();
		return new String(points, 0, points.length);
	}

}
