package dev.idempotency.upstream;

import java.time.InstantSource;
import java.util.function.LongSupplier;

import dev.idempotency.core.Operations;
import reactor.core.scheduler.Scheduler;
import reactor.netty.http.client.HttpClient;

/**
 * What the upstream sides of all routes of an instance share.
 *
 * @param operations what runs in this instance
 * @param scheduler for timeouts and pauses
 * @param nanoClock monotonic time in nanoseconds
 * @param clock to read HTTP dates by
 * @param httpClient for questions of reconciliation
 * @since 0.1.0
 */
public record UpstreamServices(Operations operations, Scheduler scheduler, LongSupplier nanoClock, InstantSource clock,
		HttpClient httpClient) {
}
