package dev.idempotency.gateway;

import java.time.Duration;

import dev.idempotency.core.Lease;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Upstream;
import dev.idempotency.upstream.BackendRequest;
import dev.idempotency.upstream.UpstreamRoute;
import reactor.core.publisher.Mono;

/**
 * The backend of a request that may turn out to be a duplicate. Only one that wins its
 * key becomes an operation: from then on its deadline runs, and not while it waits for
 * another one.
 */
final class UnclaimedRequest implements Upstream {

	private final BackendRequest request;

	private final UpstreamRoute route;

	UnclaimedRequest(BackendRequest request, UpstreamRoute route) {
		this.request = request;
		this.route = route;
	}

	@Override
	public Mono<Outcome> carryOut(Lease lease) {
		return this.route.of(this.request).carryOut(lease);
	}

	@Override
	public Mono<Verdict> reconcile(Duration silence) {
		return this.route.of(this.request).reconcile(silence);
	}

}
