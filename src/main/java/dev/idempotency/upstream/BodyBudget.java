package dev.idempotency.upstream;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes of bodies that all routes together hold in memory.
 *
 * @since 0.1.0
 */
public final class BodyBudget {

	private final long limit;

	private final AtomicLong held = new AtomicLong();

	/**
	 * A budget nobody has used yet.
	 * @param limit bytes
	 */
	public BodyBudget(long limit) {
		this.limit = limit;
	}

	/** A share of the budget that one request holds, for its first user. */
	public Share share() {
		return new Share();
	}

	/** Bytes held now. */
	public long held() {
		return this.held.get();
	}

	/**
	 * What one request holds, for as long as anybody needs its bodies: the exchange with
	 * the client, and the operation that goes on without him.
	 */
	public final class Share {

		private long bytes;

		private int users = 1;

		private Share() {
		}

		/**
		 * Takes some more.
		 * @param more how much
		 * @return whether there was that much left
		 */
		public synchronized boolean take(long more) {
			if (this.users == 0) {
				// An attempt that outlived its operation: what it reads is thrown away at
				// once.
				return true;
			}
			if (BodyBudget.this.held.addAndGet(more) > BodyBudget.this.limit) {
				BodyBudget.this.held.addAndGet(-more);
				return false;
			}
			this.bytes += more;
			return true;
		}

		/** One more needs what is held. */
		public synchronized void retain() {
			if (this.users++ == 0) {
				BodyBudget.this.held.addAndGet(this.bytes);
			}
		}

		/** One less does; the last one gives all of it back. */
		public synchronized void release() {
			if (--this.users == 0) {
				BodyBudget.this.held.addAndGet(-this.bytes);
			}
		}

	}

}
