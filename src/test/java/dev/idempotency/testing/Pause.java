package dev.idempotency.testing;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/** Waiting inside a scripted server that ends when the server does. */
final class Pause {

	private final CountDownLatch closed = new CountDownLatch(1);

	void during(Duration time) throws InterruptedIOException {
		try {
			if (!time.isZero() && this.closed.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new InterruptedIOException("closed");
			}
		}
		catch (InterruptedException ex) {
			throw interrupted();
		}
	}

	void until(@Nullable CountDownLatch gate) throws InterruptedIOException {
		try {
			if (gate != null) {
				gate.await();
			}
		}
		catch (InterruptedException ex) {
			throw interrupted();
		}
	}

	void forever() throws InterruptedIOException {
		until(this.closed);
	}

	void end() {
		this.closed.countDown();
	}

	private InterruptedIOException interrupted() {
		Thread.currentThread().interrupt();
		return new InterruptedIOException("interrupted");
	}

}
