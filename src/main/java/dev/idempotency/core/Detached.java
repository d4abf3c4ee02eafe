package dev.idempotency.core;

import reactor.core.publisher.Mono;

/**
 * Cuts the wire by which a client that goes away would stop what was begun for it.
 */
final class Detached {

	private Detached() {
	}

	/**
	 * Runs the work once somebody asks for it, and on to its end even if he leaves.
	 * @param <T> what comes of it
	 * @param work what to do; begins with the subscription
	 * @return the result, for whoever still wants it
	 */
	static <T> Mono<T> run(Mono<T> work) {
		return Mono
			.create(sink -> work.contextWrite(sink.contextView()).subscribe(sink::success, sink::error, sink::success));
	}

}
