package dev.idempotency.store;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Since when this gateway has been in unbroken contact with its store.
 *
 * <p>
 * After an outage all live claims look old: their owners could not renew them. So nobody
 * judges a lease lapsed until he has been in contact for one full lease, in which a live
 * owner would have renewed. A gap breaks the contact even if no failure was seen: this
 * process or the store may have been frozen in it. A gateway without traffic therefore
 * has to ask its store for a sign of life more often than {@link #GAP}.
 *
 * @since 0.1.0
 */
public final class StoreContact {

	/** Longest time between two signs of life of the store that is no gap. */
	public static final Duration GAP = Duration.ofSeconds(1);

	private final LongSupplier nanoTime;

	private boolean unbroken;

	private long since;

	private long last;

	/** By the clock of the machine. */
	public StoreContact() {
		this(System::nanoTime);
	}

	/**
	 * By a clock of the caller's.
	 * @param nanoTime monotonic nanoseconds
	 */
	public StoreContact(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** The store has just answered. */
	public synchronized void succeeded() {
		long now = this.nanoTime.getAsLong();
		if (!this.unbroken || now - this.last > GAP.toNanos()) {
			this.since = now;
		}
		this.unbroken = true;
		this.last = now;
	}

	/** The store did not answer, refused its service, or the connection broke. */
	public synchronized void failed() {
		this.unbroken = false;
	}

	/**
	 * Whether contact has been unbroken for some time up to now.
	 * @param time the time
	 */
	public synchronized boolean unbrokenFor(Duration time) {
		long now = this.nanoTime.getAsLong();
		return this.unbroken && now - this.last <= GAP.toNanos() && now - this.since >= time.toNanos();
	}

}
