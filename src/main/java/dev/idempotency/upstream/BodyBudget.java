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

	/** A share of the budget that one request holds and gives back as a whole. */
	public Share share() {
		return new Share();
	}

	/** Bytes held now. */
	public long held() {
		return this.held.get();
	}

	/** What one request holds. */
	public final class Share {

		private final AtomicLong mine = new AtomicLong();

		private volatile boolean closed;

		private Share() {
		}

		/**
		 * Takes some more.
		 * @param bytes how much
		 * @return whether there was that much left
		 */
		public boolean take(long bytes) {
			if (BodyBudget.this.held.addAndGet(bytes) > BodyBudget.this.limit) {
				BodyBudget.this.held.addAndGet(-bytes);
				return false;
			}
			this.mine.addAndGet(bytes);
			if (this.closed) {
				giveBack();
			}
			return true;
		}

		/**
		 * Hands what is held over to whoever keeps the body when its request is over. It
		 * counts even if this share was closed a moment ago: the bytes are there.
		 * @param bytes length of the body
		 * @return a share of its own
		 */
		public Share handOver(long bytes) {
			Share next = new Share();
			next.mine.set(bytes);
			BodyBudget.this.held.addAndGet(bytes - this.mine.getAndSet(0));
			return next;
		}

		/** Gives back all that was taken, and what may still be taken. */
		public void close() {
			this.closed = true;
			giveBack();
		}

		private void giveBack() {
			BodyBudget.this.held.addAndGet(-this.mine.getAndSet(0));
		}

	}

}
