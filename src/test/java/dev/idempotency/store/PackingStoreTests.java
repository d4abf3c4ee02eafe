package dev.idempotency.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import dev.idempotency.store.memory.MemoryIdempotencyStore;

import static org.assertj.core.api.Assertions.assertThat;

class PackingStoreTests {

	private static final String SECRET = "card 4111 1111 1111 1111 ";

	private static final byte[] OLD = key(1);

	private static final byte[] NEW = key(2);

	private final RecordId id = RecordSamples.id("packed");

	private final IdempotencyRecord claim = RecordSamples.claim(this.id);

	@AutoClose
	private final MemoryIdempotencyStore store = new MemoryIdempotencyStore(10_000_000);

	@Test
	void an_encrypted_answer_shows_nothing_but_its_status_in_the_store() {
		settle(encrypting("old", Map.of("old", OLD)), RecordSamples.response(201, SECRET));

		StoredResponse kept = kept();
		assertThat(kept.status()).isEqualTo(201);
		assertThat(kept.headers()).containsExactly(new Header(":sealed", "old"));
		assertThat(new String(RecordCodec.encode(record()), StandardCharsets.ISO_8859_1)).doesNotContain(SECRET.strip(),
				"X-Twice");
	}

	@Test
	void it_comes_back_as_it_was() {
		IdempotencyStore encrypting = encrypting("old", Map.of("old", OLD));
		StoredResponse answer = RecordSamples.response(201, SECRET.repeat(100));
		settle(encrypting, answer);

		assertAnswer(encrypting, answer);
	}

	@Test
	void the_same_answer_is_never_encrypted_to_the_same_octets() {
		IdempotencyStore encrypting = encrypting("old", Map.of("old", OLD));
		settle(encrypting, RecordSamples.response(201, SECRET));
		byte[] first = kept().body();
		encrypting.forget(this.id, this.claim.owner()).block();
		settle(encrypting, RecordSamples.response(201, SECRET));

		assertThat(kept().body()).isNotEqualTo(first);
	}

	@Test
	void a_key_that_writes_no_more_still_reads() {
		StoredResponse answer = RecordSamples.response(201, SECRET);
		settle(encrypting("old", Map.of("old", OLD)), answer);

		assertAnswer(encrypting("new", Map.of("old", OLD, "new", NEW)), answer);
	}

	@Test
	void a_gateway_that_only_knows_the_key_reads_too_and_writes_in_the_clear() {
		StoredResponse answer = RecordSamples.response(201, SECRET);
		settle(encrypting("new", Map.of("new", NEW)), answer);
		IdempotencyStore reading = encrypting(null, Map.of("new", NEW));
		assertAnswer(reading, answer);

		reading.forget(this.id, this.claim.owner()).block();
		settle(reading, answer);
		assertThat(kept()).usingRecursiveComparison().isEqualTo(answer);
	}

	@Test
	void without_its_key_a_record_is_unreadable_and_names_the_key() {
		settle(encrypting("old", Map.of("old", OLD)), RecordSamples.response(201, SECRET));

		assertUnreadable(encrypting("new", Map.of("new", NEW)), "'old'");
	}

	@Test
	void so_it_is_with_another_key_of_the_same_name() {
		settle(encrypting("k", Map.of("k", OLD)), RecordSamples.response(201, SECRET));

		assertUnreadable(encrypting("k", Map.of("k", NEW)), "another key");
	}

	@Test
	void so_it_is_under_the_name_of_another_record() {
		IdempotencyStore encrypting = encrypting("k", Map.of("k", OLD));
		settle(encrypting, RecordSamples.response(201, SECRET));
		RecordId other = RecordSamples.id("other");
		IdempotencyRecord stolen = record();
		this.store
			.settle(other,
					new IdempotencyRecord(stolen.state(), stolen.owner(), stolen.lifetime(), stolen.lease(),
							other.check(), stolen.fingerprint(), false, 1, stolen.response()))
			.block();

		assertThat(encrypting.find(other).block()).isInstanceOf(Claim.Unreadable.class);
	}

	@Test
	void one_changed_bit_makes_it_unreadable() {
		IdempotencyStore encrypting = encrypting("k", Map.of("k", OLD));
		settle(encrypting, RecordSamples.response(201, SECRET));
		StoredResponse kept = kept();
		byte[] changed = kept.body().clone();
		changed[20] ^= 1;
		plant(new StoredResponse(kept.status(), kept.headers(), changed));

		assertUnreadable(encrypting, "changed");
	}

	@Test
	void an_unknown_outcome_with_an_answer_is_taken_over_and_put_back_encrypted() {
		IdempotencyStore encrypting = encrypting("k", Map.of("k", OLD));
		encrypting.claim(this.id, this.claim).block();
		encrypting
			.settle(this.id, this.claim.settled(IdempotencyRecord.State.UNKNOWN, this.claim.lifetime(), 1,
					RecordSamples.response(500, SECRET)))
			.block();
		Claim.UnknownOutcome seen = (Claim.UnknownOutcome) encrypting.find(this.id).block();

		assertThat(seen.record().response()).usingRecursiveComparison().isEqualTo(RecordSamples.response(500, SECRET));
		assertThat(encrypting.takeOver(this.id, seen, RecordSamples.claim(this.id)).block())
			.isInstanceOf(Claim.Won.class);
	}

	@Test
	void long_text_is_kept_compressed() {
		StoredResponse answer = RecordSamples.response(200, "0123456789".repeat(1000));
		IdempotencyStore compressing = new PackingStore(this.store, new RecordPacking(true, RecordCipher.none()));
		settle(compressing, answer);

		assertThat(kept().body()).hasSizeLessThan(1000);
		assertAnswer(compressing, answer);
		assertAnswer(new PackingStore(this.store, new RecordPacking(false, RecordCipher.none())), answer);
	}

	@Test
	void what_is_short_or_compressed_or_no_text_or_would_grow_is_kept_as_it_is() {
		byte[] zeros = new byte[5000];
		byte[] noise = new byte[5000];
		new Random(1).nextBytes(noise);
		IdempotencyStore compressing = new PackingStore(this.store, new RecordPacking(true, RecordCipher.none()));
		for (StoredResponse answer : List.of(RecordSamples.response(200, "0".repeat(BodyCompression.SMALL)),
				answer(zeros, new Header("content-type", "image/png")),
				answer(zeros, new Header("Content-Encoding", "br")), answer(noise))) {
			settle(compressing, answer);
			assertThat(kept()).usingRecursiveComparison().isEqualTo(answer);
			compressing.forget(this.id, this.claim.owner()).block();
		}
	}

	@Test
	void a_compressed_body_that_is_not_what_it_says_is_unreadable() {
		IdempotencyStore compressing = new PackingStore(this.store, new RecordPacking(true, RecordCipher.none()));
		for (byte[] body : List.of(new byte[] { 1, 2, 3 },
				BodyCompression.compress(RecordSamples.response(200, "x".repeat(2000))).body())) {
			plant(new StoredResponse(200, List.of(new Header(":gzip", "1999")), body));
			assertUnreadable(compressing, "compressed body");
		}
	}

	private IdempotencyStore encrypting(String active, Map<String, byte[]> keys) {
		return new PackingStore(this.store, new RecordPacking(true, new RecordCipher(active, keys)));
	}

	private void settle(IdempotencyStore into, StoredResponse answer) {
		into.claim(this.id, this.claim).block();
		into.settle(this.id, this.claim.settled(IdempotencyRecord.State.DONE, this.claim.lifetime(), 1, answer))
			.block();
	}

	private void plant(StoredResponse kept) {
		this.store.forget(this.id, this.claim.owner()).block();
		this.store.settle(this.id, this.claim.settled(IdempotencyRecord.State.DONE, this.claim.lifetime(), 1, kept))
			.block();
	}

	private IdempotencyRecord record() {
		return ((Claim.Finished) this.store.find(this.id).block()).record();
	}

	private StoredResponse kept() {
		return record().response();
	}

	private void assertAnswer(IdempotencyStore from, StoredResponse answer) {
		assertThat(from.find(this.id).block()).isInstanceOfSatisfying(Claim.Finished.class,
				(finished) -> assertThat(finished.record().response()).usingRecursiveComparison().isEqualTo(answer));
	}

	private void assertUnreadable(IdempotencyStore from, String reason) {
		assertThat(from.claim(this.id, RecordSamples.claim(this.id)).block()).isInstanceOfSatisfying(
				Claim.Unreadable.class, (unreadable) -> assertThat(unreadable.reason()).contains(reason));
	}

	private static StoredResponse answer(byte[] body, Header... headers) {
		return new StoredResponse(200, List.of(headers), body);
	}

	private static byte[] key(int octet) {
		byte[] key = new byte[RecordCipher.KEY_LENGTH];
		Arrays.fill(key, (byte) octet);
		return key;
	}

}
