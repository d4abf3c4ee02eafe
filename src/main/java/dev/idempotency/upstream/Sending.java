package dev.idempotency.upstream;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * How far an attempt has come on its way to the backend, as told by the HTTP client that
 * carries it. Also the gate in front of the wire: what was taken back is not sent, and
 * neither is anything by an owner who may have lost his claim while he waited for a
 * connection.
 */
final class Sending {

	private final AtomicReference<State> state = new AtomicReference<>(State.NOT_SENT);

	private final BooleanSupplier maySend;

	private volatile boolean watched;

	Sending(BooleanSupplier maySend) {
		this.maySend = maySend;
	}

	/** A client that reports what it does has begun to look for a connection. */
	void connecting() {
		this.watched = true;
	}

	/**
	 * There is a connection, and the head of the request is about to be written to it.
	 * @throws HeldBackException if it must not be
	 */
	void begin() {
		this.watched = true;
		if (!this.maySend.getAsBoolean()
				|| this.state.updateAndGet(now -> (now != State.RECALLED) ? State.SENT : now) == State.RECALLED) {
			throw new HeldBackException();
		}
	}

	/** Takes the attempt back, unless something was sent already. */
	boolean recall() {
		return this.state.updateAndGet(now -> (now != State.SENT) ? State.RECALLED : now) == State.RECALLED;
	}

	/** Whether a client that reports what it does has the attempt in hand. */
	boolean isWatched() {
		return this.watched;
	}

	private enum State {

		NOT_SENT, SENT, RECALLED

	}

	/** Nothing was sent. */
	static final class HeldBackException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		HeldBackException() {
			super("held back before it was sent", null, false, false);
		}

	}

}
