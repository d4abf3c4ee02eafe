package dev.idempotency.upstream;

import java.time.Duration;

import dev.idempotency.core.JobUpstream;
import dev.idempotency.core.Lease;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.StoredResponse;
import reactor.core.publisher.Mono;

/** One attempt at a job: an operation that sends once. */
final class JobOperation implements JobUpstream {

	private final BackendRequest request;

	private final UpstreamRoute route;

	JobOperation(BackendRequest request, UpstreamRoute route) {
		this.request = request;
		this.route = route;
	}

	@Override
	public Mono<Outcome> carryOut(Lease lease) {
		return Mono.defer(() -> {
			if (!this.request.share().take(this.request.body().length)) {
				return Mono.just(new Outcome.NotApplied(0, Reason.TOO_BUSY, null, null));
			}
			return new BackendOperation(this.request, this.route, 1).carryOut(lease);
		}).doFinally(signal -> this.request.share().release());
	}

	@Override
	public Mono<Verdict> reconcile(Duration silence) {
		return new Reconciliation(this.route, this.request).ask(silence);
	}

	@Override
	public boolean isWithinBudget(int attempts) {
		return attempts == 0 || this.route.budget().tryResend();
	}

	@Override
	public boolean isWorthAnother(Outcome.NotApplied outcome) {
		return this.route.rule().permits(outcome);
	}

	@Override
	public Duration pauseAfter(Outcome outcome, int attempts) {
		return this.route.rule().pauseAfter(outcome, attempts);
	}

	@Override
	public StoredResponse forRecord(StoredResponse answer) {
		return this.route.answers().forRecord(answer);
	}

}
