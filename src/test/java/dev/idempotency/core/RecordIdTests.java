package dev.idempotency.core;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Where the record of an operation is found. */
class RecordIdTests {

	@Test
	void the_same_parts_are_the_same_identity() {
		RecordId one = RecordId.of(List.of("ns", "alice", "POST", "key"));
		assertThat(RecordId.of(List.of("ns", "alice", "POST", "key"))).isEqualTo(one).hasSameHashCodeAs(one);
		assertThat(RecordId.of(List.of("ns", "alice", "POST", "key")).check()).isEqualTo(one.check());
	}

	@Test
	void any_part_tells_identities_apart() {
		assertThat(RecordId.of(List.of("ns", "alice", "POST", "key")))
			.isNotEqualTo(RecordId.of(List.of("ns", "bob", "POST", "key")));
	}

	@Test
	void parts_are_not_confused_however_they_are_cut() {
		Set<RecordId> ids = new HashSet<>();
		ids.add(RecordId.of(List.of("ab", "c")));
		ids.add(RecordId.of(List.of("a", "bc")));
		ids.add(RecordId.of(List.of("abc")));
		ids.add(RecordId.of(List.of("abc", "")));
		ids.add(RecordId.of(List.of("", "abc")));
		ids.add(RecordId.of(List.of("a\u0000b", "c")));
		assertThat(ids).hasSize(6);
	}

	@Test
	void the_digest_is_all_that_is_shown() {
		RecordId id = RecordId.of(List.of("alice", "secret-key"));
		assertThat(id).hasToString(id.digest());
		assertThat(id.digest()).matches("[0-9a-f]{64}");
	}

	@Test
	void the_digest_is_the_one_that_records_were_written_under() {
		assertThat(RecordId.of(List.of("a", "b")).digest())
			.isEqualTo("3418ec5dcad6379de788b7341c8cabb9ed668081ccc5d73bfb836fae03f6c249");
	}

	@Test
	void an_operator_who_knows_the_digest_finds_the_same_record() {
		RecordId id = RecordId.of(List.of("alice", "key"));
		assertThat(RecordId.ofDigest(id.digest())).isEqualTo(id);
		assertThat(RecordId.ofDigest(id.digest()).check()).isEqualTo(RecordId.UNCHECKED);
		assertThat(id.check()).isNotEqualTo(RecordId.UNCHECKED);
	}

}
