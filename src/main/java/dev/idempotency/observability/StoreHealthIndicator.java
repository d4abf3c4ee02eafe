package dev.idempotency.observability;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.StoreStatus;
import reactor.core.publisher.Mono;

import org.springframework.boot.health.contributor.AbstractReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health of the store, from what its own calls have found out: a probe that asked it
 * again would add to the load of a store in trouble.
 *
 * @since 0.1.0
 */
public final class StoreHealthIndicator extends AbstractReactiveHealthIndicator {

	private final IdempotencyStore store;

	/**
	 * For the store in use.
	 * @param store the store
	 */
	public StoreHealthIndicator(IdempotencyStore store) {
		super("The idempotency store cannot be looked at");
		this.store = store;
	}

	@Override
	protected Mono<Health> doHealthCheck(Health.Builder builder) {
		StoreStatus status = this.store.status();
		(status.serving() ? builder.up() : builder.down()).withDetail("store", this.store.name())
			.withDetails(status.facts());
		return Mono.just(builder.build());
	}

}
