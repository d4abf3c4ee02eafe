package dev.idempotency.core;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class JobIdTests {

	private static final String ALMOST = "A".repeat(JobId.LENGTH - 2);

	@Test
	void an_id_is_read_as_it_was_written() {
		RecordId record = RecordId.of(List.of("route", "caller", "key"));
		JobId id = JobId.random(record);
		JobId read = JobId.parse(id.toString());
		assertThat(read).isEqualTo(id);
		assertThat(read.recordId()).isEqualTo(record);
	}

	@ParameterizedTest
	@ValueSource(strings = { "==", "A=", "=A", "+/", "\0A", "é", "A", "AAA" })
	void what_no_job_can_be_named_is_no_id(String end) {
		assertThat(JobId.parse(ALMOST + end)).isNull();
	}

}
