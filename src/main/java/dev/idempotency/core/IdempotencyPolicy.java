package dev.idempotency.core;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The effective rules of one route, after preset, policy and inline arguments were laid
 * over one another. Values are validated before they come here.
 *
 * @param name name of the policy, {@code default} where none was given
 * @param preset the preset it started from
 * @param mode whether duplicates are answered or only counted
 * @param key which requests carry a key, and what a key looks like
 * @param scope whose key it is
 * @param fingerprint what makes two requests the same
 * @param retention how long things are kept
 * @param waiting what a duplicate does while the first still runs
 * @param limits times, sizes and counts
 * @param outcomes what an answer or its absence means
 * @param retry when an attempt is sent again
 * @param circuitBreaker when attempts are held back
 * @param noStore what happens to answers with {@code Cache-Control: no-store}
 * @param storeFailure what happens while the store cannot be reached
 * @param jobs which requests become jobs, and what holds for them
 * @since 0.1.0
 */
public record IdempotencyPolicy(String name, Preset preset, Mode mode, KeyRules key, Scope scope,
		FingerprintRules fingerprint, Retention retention, Waiting waiting, Limits limits, OutcomeRules outcomes,
		RetryRules retry, CircuitBreakerRules circuitBreaker, NoStore noStore, StoreFailure storeFailure,
		JobRules jobs) {

	/** How much rigour a route deserves. */
	public enum Preset {

		STRICT, STANDARD, RELAXED

	}

	/** Whether the policy acts or only watches. */
	public enum Mode {

		ENFORCE, OBSERVE

	}

	/** What happens to answers that forbid HTTP caches to keep them. */
	public enum NoStore {

		KEEP, TOMBSTONE

	}

	/** What happens to keyed requests while the store cannot be reached. */
	public enum StoreFailure {

		REJECT, FORWARD

	}

	/**
	 * Which requests carry a key, and what a key looks like.
	 *
	 * @param header canonical name of the request header
	 * @param aliases other accepted names
	 * @param methods upper-case methods that are protected
	 * @param required whether a request without a key is refused
	 * @param format what the characters may be
	 * @param maxLength longest key, in characters
	 * @param syntax which spellings of the header are accepted
	 */
	public record KeyRules(String header, List<String> aliases, Set<String> methods, boolean required, KeyFormat format,
			int maxLength, KeySyntax syntax) {
	}

	/** What the characters of a key may be. */
	public enum KeyFormat {

		ANY, UUID

	}

	/** Which spellings of the header are accepted. */
	public enum KeySyntax {

		/** Quoted structured-field string and bare form. */
		LENIENT,
		/** Quoted structured-field string only (RFC 9651, section 3.3.3). */
		STRICT

	}

	/**
	 * Whose key it is.
	 *
	 * @param callers sources of the caller's identity, in order
	 * @param anonymousShares whether callers without an identity share one bucket; else
	 * they are refused
	 * @param namespace keeps routes apart that share host, method and path
	 */
	public record Scope(List<CallerSource> callers, boolean anonymousShares, String namespace) {
	}

	/**
	 * One source of the caller's identity.
	 *
	 * @param kind where to look
	 * @param name name of the header or cookie, empty for the other kinds
	 */
	public record CallerSource(Kind kind, String name) {

		/** Where to look. */
		public enum Kind {

			PRINCIPAL, AUTHORIZATION, HEADER, COOKIE, CLIENT_IP

		}

		/** As it is written in a policy. */
		@Override
		public String toString() {
			String word = this.kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
			return this.name.isEmpty() ? word : word + ":" + this.name;
		}
	}

	/**
	 * What makes two requests the same.
	 *
	 * @param json whether bodies are compared by their JSON meaning; else by their bytes
	 * @param headers request headers that count
	 * @param exclude JSON pointers that are left out (RFC 6901)
	 */
	public record FingerprintRules(boolean json, List<String> headers, List<String> exclude) {
	}

	/**
	 * How long things are kept.
	 *
	 * @param ttl a done outcome, from its completion
	 * @param unknownTtl an unknown outcome and an unsettled claim
	 * @param lease how long a claim is believed without a sign of life of its owner
	 */
	public record Retention(Duration ttl, Duration unknownTtl, Duration lease) {

		private static final int LEASES_KEPT = 4;

		/** How long a job may wait without being looked at. */
		private static final Duration JOB = Duration.ofDays(30);

		/** Life of a job's record until it ends: longer than its ticket can wait. */
		public Duration jobLifetime() {
			return jobLifetime(claimLifetime());
		}

		/** The same where only the life of some claim on it is known. */
		static Duration jobLifetime(Duration claim) {
			return (claim.compareTo(JOB) > 0) ? claim : JOB;
		}

		/** Life of a claim from its last renewal on. */
		public Duration claimLifetime() {
			Duration longest = (this.ttl.compareTo(this.unknownTtl) > 0) ? this.ttl : this.unknownTtl;
			Duration leases = this.lease.multipliedBy(LEASES_KEPT);
			return (longest.compareTo(leases) > 0) ? longest : leases;
		}
	}

	/**
	 * What a duplicate does while the first still runs.
	 *
	 * @param byDefault how long it waits unless it says otherwise; zero to be refused at
	 * once
	 * @param max how long it may ask to wait ({@code Prefer: wait=N}, RFC 7240, section
	 * 4.3)
	 */
	public record Waiting(Duration byDefault, Duration max) {
	}

	/**
	 * Times, sizes and counts.
	 *
	 * @param timeout one attempt, connect to last byte
	 * @param deadline all attempts together, back-off included
	 * @param lateAnswer how long an attempt is kept after its timeout
	 * @param lateAnswerMax how many attempts of the route may be kept so at once
	 * @param maxRequestSize largest request body, in bytes
	 * @param maxResponseSize largest answer that is kept, in bytes
	 * @param maxInFlight how many operations of the route may run at once
	 */
	public record Limits(Duration timeout, Duration deadline, Duration lateAnswer, int lateAnswerMax,
			long maxRequestSize, long maxResponseSize, int maxInFlight) {
	}

	/**
	 * What an answer or its absence means.
	 *
	 * @param releaseOn statuses that prove that nothing was done
	 * @param unknownOn statuses after which the work may or may not have been done
	 * @param unknown what a retry of an unknown outcome gets
	 * @param backendIdempotent whether the backend honours the forwarded key itself
	 * @param inProgressOn statuses by which such a backend says that it is still at work
	 * @param reconcile where to ask, present exactly for
	 * {@link UnknownHandling#RECONCILE}
	 */
	public record OutcomeRules(Set<Integer> releaseOn, Set<Integer> unknownOn, UnknownHandling unknown,
			boolean backendIdempotent, Set<Integer> inProgressOn, @Nullable Reconcile reconcile) {
	}

	/** What a retry of an unknown outcome gets. */
	public enum UnknownHandling {

		HOLD, RETRY, RECONCILE

	}

	/**
	 * Where and how to ask the backend what became of a key.
	 *
	 * @param uri template with {@code {key}} in it
	 * @param applied statuses that say it was carried out
	 * @param notApplied statuses that say it was not
	 * @param settleAfter for how long {@code notApplied} is not believed
	 * @param timeout for the question, connect to last byte
	 * @param headers sent instead of the client's {@code Authorization}; empty to send
	 * that
	 */
	public record Reconcile(String uri, Set<Integer> applied, Set<Integer> notApplied, Duration settleAfter,
			Duration timeout, Map<String, String> headers) {

		/** The URI without the key, for logs. */
		public String masked() {
			return URI.create(this.uri.replace("{key}", "***")).toString();
		}

		/** What the headers hold never reaches a log. */
		@Override
		public String toString() {
			return "Reconcile[" + masked() + "]";
		}
	}

	/**
	 * When an attempt is sent again.
	 *
	 * @param maxAttempts attempts in all
	 * @param statuses statuses that are resent where their class permits it
	 * @param backoff first interval
	 * @param multiplier growth of the interval
	 * @param maxBackoff longest interval
	 * @param jitter share of the interval by which it varies to both sides, 0 to 1
	 * @param budget resends as a share of recent first sends
	 */
	public record RetryRules(int maxAttempts, Set<Integer> statuses, Duration backoff, double multiplier,
			Duration maxBackoff, double jitter, double budget) {
	}

	/**
	 * When attempts are held back.
	 *
	 * @param enabled whether they ever are
	 * @param window calls that are looked at
	 * @param minimumCalls calls before anything is judged
	 * @param failureRate share of failures that opens the circuit, above 0 up to 1
	 * @param open how long it stays open
	 * @param halfOpenCalls calls that are let through to try
	 */
	public record CircuitBreakerRules(boolean enabled, int window, int minimumCalls, double failureRate, Duration open,
			int halfOpenCalls) {
	}

	/**
	 * Which requests become jobs, and what holds for them.
	 *
	 * @param async which requests
	 * @param concurrency how many jobs of the route one instance works on at once
	 * @param maxQueued how many may be in the queue of the route, for all instances
	 * @param callbackHosts where their end may be posted
	 * @param callbackSecret what such posts are signed with, {@code null} if there is
	 * none
	 */
	public record JobRules(Async async, int concurrency, int maxQueued, List<String> callbackHosts,
			@Nullable String callbackSecret) {

		/** No jobs. */
		public static final JobRules OFF = new JobRules(Async.OFF, 1, 1, List.of(), null);

		/** The secret never reaches a log. */
		@Override
		public String toString() {
			return "JobRules[" + this.async + "]";
		}
	}

	/** Which requests become jobs. */
	public enum Async {

		OFF,
		/** Those with {@code Prefer: respond-async} (RFC 7240, section 4.1). */
		ON_REQUEST, ALWAYS

	}

}
