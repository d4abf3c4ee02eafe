package dev.idempotency.store;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StoreContactTests {

	private static final Duration LEASE = Duration.ofSeconds(5);

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(3).toNanos());

	private final StoreContact contact = new StoreContact(this.now::get);

	@Test
	void before_the_first_answer_there_is_no_contact() {
		assertThat(this.contact.unbrokenFor(Duration.ZERO)).isFalse();
	}

	@Test
	void contact_counts_from_the_first_answer() {
		answersFor(LEASE.minusMillis(500));
		assertThat(this.contact.unbrokenFor(LEASE)).isFalse();
		answersFor(Duration.ofMillis(500));
		assertThat(this.contact.unbrokenFor(LEASE)).isTrue();
	}

	@Test
	void a_failure_begins_it_anew() {
		answersFor(LEASE);
		this.contact.failed();
		assertThat(this.contact.unbrokenFor(Duration.ZERO)).isFalse();
		answersFor(LEASE.minusMillis(500));
		assertThat(this.contact.unbrokenFor(LEASE)).isFalse();
		answersFor(Duration.ofMillis(500));
		assertThat(this.contact.unbrokenFor(LEASE)).isTrue();
	}

	@Test
	void a_gap_begins_it_anew_even_if_nothing_failed() {
		answersFor(LEASE);
		pass(StoreContact.GAP.plusMillis(1));
		this.contact.succeeded();
		assertThat(this.contact.unbrokenFor(LEASE)).isFalse();
		assertThat(this.contact.unbrokenFor(Duration.ZERO)).isTrue();
	}

	@Test
	void silence_ends_it() {
		answersFor(LEASE);
		pass(StoreContact.GAP.plusMillis(1));
		assertThat(this.contact.unbrokenFor(Duration.ZERO)).isFalse();
	}

	private void answersFor(Duration time) {
		this.contact.succeeded();
		for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(500)) {
			pass(Duration.ofMillis(500));
			this.contact.succeeded();
		}
	}

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

}
