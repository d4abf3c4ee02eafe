package dev.idempotency.store;

import reactor.core.publisher.Mono;

/**
 * Bounds one call of a store as a whole, all its steps included, and turns whatever goes
 * wrong into {@link dev.idempotency.core.StoreUnavailableException}.
 *
 * @since 0.1.0
 */
public interface CallLimit {

	/**
	 * Bounds a call.
	 * @param <T> what it brings
	 * @param call the call
	 * @return the same, which ends in time
	 */
	<T> Mono<T> limited(Mono<T> call);

}
