package dev.idempotency.upstream;

import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SendingTests {

	private final AtomicBoolean leaseIsFresh = new AtomicBoolean(true);

	private final Sending sending = new Sending(this.leaseIsFresh::get);

	@Test
	void whatWasTakenBackIsNotSent() {
		this.sending.connecting();
		assertThat(this.sending.recall()).isTrue();
		assertThatExceptionOfType(Sending.HeldBackException.class).isThrownBy(this.sending::begin);
		assertThat(this.sending.recall()).isTrue();
	}

	@Test
	void whatWasSentIsNotTakenBack() {
		this.sending.begin();
		assertThat(this.sending.recall()).isFalse();
		assertThat(this.sending.isWatched()).isTrue();
	}

	@Test
	void nothingIsSentByAnOwnerWhoMayHaveLostHisClaim() {
		this.leaseIsFresh.set(false);
		assertThatExceptionOfType(Sending.HeldBackException.class).isThrownBy(this.sending::begin);
		assertThat(this.sending.recall()).isTrue();
	}

	@Test
	void takingBackTellsNothingOfWhoHasIt() {
		assertThat(this.sending.recall()).isTrue();
		assertThat(this.sending.isWatched()).isFalse();
	}

}
