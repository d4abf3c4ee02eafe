package dev.idempotency.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A backend that does what a test says, and remembers how often it was asked to. */
final class ScriptedUpstream implements Upstream {

	final List<Lease> leases = new ArrayList<>();

	final List<Duration> questions = new ArrayList<>();

	private Mono<Outcome> outcome;

	private Mono<Verdict> verdict = Mono.just(new Verdict(Verdict.Kind.UNDECIDED, null));

	private ScriptedUpstream(Mono<Outcome> outcome) {
		this.outcome = outcome;
	}

	static ScriptedUpstream ending(Outcome outcome) {
		return new ScriptedUpstream(Mono.just(outcome));
	}

	static ScriptedUpstream ending(Mono<Outcome> outcome) {
		return new ScriptedUpstream(outcome);
	}

	/** Works until {@link #ends}. */
	static Working working() {
		return new Working();
	}

	ScriptedUpstream saying(Verdict.Kind kind, StoredResponse record) {
		return saying(Mono.just(new Verdict(kind, record)));
	}

	ScriptedUpstream saying(Mono<Verdict> words) {
		this.verdict = words;
		return this;
	}

	int calls() {
		return this.leases.size();
	}

	@Override
	public Mono<Outcome> carryOut(Lease lease) {
		this.leases.add(lease);
		return this.outcome;
	}

	@Override
	public Mono<Verdict> reconcile(Duration silence) {
		return Mono.defer(() -> {
			this.questions.add(silence);
			return this.verdict;
		});
	}

	/** A backend that is still at it. */
	static final class Working {

		final ScriptedUpstream upstream;

		private final Sinks.One<Outcome> end = Sinks.one();

		private Working() {
			this.upstream = ScriptedUpstream.ending(this.end.asMono());
		}

		void ends(Outcome outcome) {
			this.end.tryEmitValue(outcome).orThrow();
		}

	}

}
