package dev.idempotency.store;

import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/**
 * One step at a time in the background: whatever begins ends what was underway.
 *
 * <p>
 * A step is in its place before it is subscribed to. It may be over, and have begun the
 * next one on another thread, before its subscription returns: put in place only then, it
 * would end the step that followed it, and nothing would ever happen again.
 *
 * @since 0.1.0
 */
public final class Underway implements Disposable {

	private final Disposable.Swap place = Disposables.swap();

	/**
	 * Begins a step, unless this has been disposed of.
	 * @param step the step, which deals with its errors itself
	 */
	public void begin(Mono<?> step) {
		Step next = new Step();
		this.place.update(next);
		step.subscribe(next);
	}

	@Override
	public void dispose() {
		this.place.dispose();
	}

	@Override
	public boolean isDisposed() {
		return this.place.isDisposed();
	}

	private static final class Step extends BaseSubscriber<Object> {

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			requestUnbounded();
		}

		@Override
		protected void hookOnError(Throwable failure) {
			// Dealt with where it came from.
		}

	}

}
