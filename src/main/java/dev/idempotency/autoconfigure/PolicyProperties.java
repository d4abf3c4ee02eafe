package dev.idempotency.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.idempotency.core.IdempotencyPolicy.Async;
import dev.idempotency.core.IdempotencyPolicy.KeyFormat;
import dev.idempotency.core.IdempotencyPolicy.KeySyntax;
import dev.idempotency.core.IdempotencyPolicy.Mode;
import dev.idempotency.core.IdempotencyPolicy.NoStore;
import dev.idempotency.core.IdempotencyPolicy.Preset;
import dev.idempotency.core.IdempotencyPolicy.StoreFailure;
import dev.idempotency.core.IdempotencyPolicy.UnknownHandling;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.unit.DataSize;

/**
 * The fields of a policy as they are written, with the defaults of preset
 * {@code standard}. Never a bean: {@link PolicyFactory} binds one for each route, from
 * the route's own arguments, the named policy and the preset. The annotation makes the
 * fields and their defaults known to editors and to the documentation.
 *
 * @param preset How much rigour the route deserves: strict, standard or relaxed.
 * @param header Request header that carries the key.
 * @param aliases Other accepted names of that header.
 * @param methods Methods that are protected. Others pass through untouched.
 * @param key Whether a request must carry a key: required or optional.
 * @param keyFormat What a key may look like: any or uuid.
 * @param keyMaxLength Longest accepted key, in characters. Longer ones are refused, never
 * cut.
 * @param keySyntax Accepted spellings of the header: lenient (quoted and bare) or strict
 * (quoted only, RFC 9651).
 * @param caller Ordered sources of the caller's identity: principal, authorization,
 * header:NAME, cookie:NAME, client-ip.
 * @param anonymous What happens when no source gives an identity: reject, or share one
 * bucket.
 * @param namespace Keeps routes apart that share host, method and path.
 * @param mode Whether the policy acts (enforce) or only counts what it would do
 * (observe).
 * @param fingerprint How bodies are compared: bytes, or json for semantic equality.
 * @param fingerprintHeaders Request headers that belong to the fingerprint.
 * @param fingerprintExclude JSON pointers left out of the fingerprint, where it is json.
 * @param ttl How long a done outcome is kept, from its completion on.
 * @param unknownTtl How long an unknown outcome and an unsettled claim stay. By default
 * the longer of ttl and 24h.
 * @param lease How long a claim is believed without a sign of life of its owner.
 * @param inFlight What a duplicate gets while the first still runs: reject, or wait.
 * @param longestWait How long a duplicate waits where in-flight is wait.
 * @param waitMax Longest wait a request may ask for with 'Prefer: wait'.
 * @param timeout One attempt at the backend, from connect to last byte.
 * @param deadline All attempts together, back-off included.
 * @param lateAnswer How long an attempt is kept running after its timeout, to learn its
 * answer.
 * @param lateAnswerMax Attempts of the route that may be kept running so at once, per
 * instance.
 * @param maxRequestSize Largest body of a keyed request.
 * @param maxResponseSize Largest answer that is kept. Larger ones pass through and cannot
 * be replayed.
 * @param noStore What happens to answers with 'Cache-Control: no-store': keep, or
 * tombstone to keep no body.
 * @param releaseOn Statuses that prove that nothing was done. The key is free again.
 * @param unknownOn Statuses after which the work may or may not have been done. By
 * default every 5xx that is not in release-on.
 * @param unknown What a retry of an unknown outcome gets: hold, retry or reconcile. By
 * default retry where backend-idempotent, else hold.
 * @param backendIdempotent Whether the backend honours the forwarded key itself, so that
 * resending after an unknown outcome is safe.
 * @param inProgressOn Statuses by which such a backend says that it is still at work.
 * @param reconcile Where to ask what became of an unknown outcome.
 * @param storeFailure What happens while the store cannot be reached: reject, or forward
 * unprotected.
 * @param retry When an attempt is sent again.
 * @param circuitBreaker When attempts are held back.
 * @param maxInFlight New operations of the route at once, per instance.
 * @param async Which requests become jobs: off, on-request ('Prefer: respond-async') or
 * always.
 * @param jobs How jobs are carried out.
 * @param callbackHosts Hosts to which the end of a job may be posted: names, *.NAME,
 * NAME:PORT; an address or a private name only if it is listed itself.
 * @param callbackSecret Secret with which such posts are signed. Needed for
 * callback-hosts.
 * @param allowVolatileStore Whether preset strict may do with a store that can lose
 * records.
 */
@ConfigurationProperties(PolicyProperties.DOCUMENTED_AS)
record PolicyProperties(@DefaultValue("standard") Preset preset, @DefaultValue("Idempotency-Key") String header,
		@DefaultValue List<String> aliases, @DefaultValue( {
				"POST", "PATCH" }) List<String> methods,
		@DefaultValue("required") KeyPresence key, @DefaultValue("any") KeyFormat keyFormat,
		@DefaultValue("255") int keyMaxLength, @DefaultValue("lenient") KeySyntax keySyntax,
		@DefaultValue({ "principal", "authorization" }) List<String> caller,
		@DefaultValue("reject") Anonymous anonymous, @DefaultValue("default") String namespace,
		@DefaultValue("enforce") Mode mode, @DefaultValue("bytes") BodyComparison fingerprint,
		@DefaultValue List<String> fingerprintHeaders, @DefaultValue List<String> fingerprintExclude,
		@DefaultValue("24h") Duration ttl, @Nullable Duration unknownTtl, @DefaultValue("15s") Duration lease,
		@DefaultValue("reject") InFlight inFlight, @Name("wait") @DefaultValue("5s") Duration longestWait,
		@DefaultValue("30s") Duration waitMax, @DefaultValue("10s") Duration timeout,
		@DefaultValue("30s") Duration deadline, @DefaultValue("60s") Duration lateAnswer,
		@DefaultValue("200") int lateAnswerMax, @DefaultValue("1MB") DataSize maxRequestSize,
		@DefaultValue("1MB") DataSize maxResponseSize, @DefaultValue("keep") NoStore noStore,
		@DefaultValue({ "401", "403", "407", "408", "421", "425", "429", "503" }) Set<Integer> releaseOn,
		@Nullable Set<Integer> unknownOn, @Nullable UnknownHandling unknown,
		@DefaultValue("false") boolean backendIdempotent, @DefaultValue({ "409", "425" }) Set<Integer> inProgressOn,
		@DefaultValue Reconciliation reconcile, @DefaultValue("reject") StoreFailure storeFailure,
		@DefaultValue Resending retry, @DefaultValue Breaker circuitBreaker, @DefaultValue("1000") int maxInFlight,
		@DefaultValue("off") Async async, @DefaultValue Working jobs, @DefaultValue List<String> callbackHosts,
		@Nullable String callbackSecret, @DefaultValue("false") boolean allowVolatileStore){

	/** Where the fields are documented; every other policy takes the same. */
	static final String DOCUMENTED_AS = IdempotencyProperties.PREFIX + ".policies.default";

	/** Some fields are secret. */
	@Override
	public String toString() {
		return "PolicyProperties[preset=" + this.preset + "]";
	}

	/** Whether a request must carry a key. */
	enum KeyPresence {

		REQUIRED, OPTIONAL

	}

	/** What happens when no source gives an identity. */
	enum Anonymous {

		REJECT, SHARE

	}

	/** How bodies are compared. */
	enum BodyComparison {

		BYTES, JSON

	}

	/** What a duplicate gets while the first still runs. */
	enum InFlight {

		REJECT, WAIT

	}

	/**
	 * Where to ask what became of an unknown outcome.
	 *
	 * @param uri Address to ask, with {key} where the percent-encoded key belongs. Needed
	 * for 'unknown: reconcile'.
	 * @param applied Statuses that say that it was carried out.
	 * @param notApplied Statuses that say that it was not.
	 * @param settleAfter For how long 'not applied' is not believed, since the first
	 * request may still be committing.
	 * @param timeout Time limit of the question.
	 * @param headers Headers of the question, in place of the client's Authorization.
	 */
	record Reconciliation(@Nullable String uri, @DefaultValue("200") Set<Integer> applied,
			@DefaultValue("404") Set<Integer> notApplied, @DefaultValue("60s") Duration settleAfter,
			@DefaultValue("5s") Duration timeout, @DefaultValue Map<String, String> headers) {

		/** Headers are secret. */
		@Override
		public String toString() {
			return "Reconciliation[uri=" + this.uri + "]";
		}
	}

	/**
	 * When an attempt is sent again.
	 *
	 * @param maxAttempts Attempts at the backend in all.
	 * @param statuses Statuses that are resent, where their class permits it.
	 * @param backoff First interval between attempts.
	 * @param multiplier Growth of the interval.
	 * @param maxBackoff Longest interval.
	 * @param jitter Share of the interval by which it varies to both sides.
	 * @param budget Resends as a share of recent first sends, per route.
	 */
	record Resending(@DefaultValue("3") int maxAttempts, @DefaultValue("503") Set<Integer> statuses,
			@DefaultValue("100ms") Duration backoff, @DefaultValue("2") double multiplier,
			@DefaultValue("2s") Duration maxBackoff, @DefaultValue("0.5") double jitter,
			@DefaultValue("0.2") double budget) {
	}

	/**
	 * How jobs are carried out.
	 *
	 * @param concurrency Jobs of the route that one instance works on at once.
	 * @param maxQueued Jobs of the route that may be queued or at work, for all
	 * instances. Beyond it new ones are refused.
	 */
	record Working(@DefaultValue("16") int concurrency, @DefaultValue("10000") int maxQueued) {
	}

	/**
	 * When attempts are held back.
	 *
	 * @param enabled Whether attempts are ever held back.
	 * @param window Calls that are looked at.
	 * @param minimumCalls Calls before anything is judged.
	 * @param failureRate Share of failures that opens the circuit.
	 * @param open How long the circuit stays open.
	 * @param halfOpenCalls Calls that are let through to try.
	 */
	record Breaker(@DefaultValue("true") boolean enabled, @DefaultValue("100") int window,
			@DefaultValue("50") int minimumCalls, @DefaultValue("0.5") double failureRate,
			@DefaultValue("10s") Duration open, @DefaultValue("5") int halfOpenCalls) {
	}

}
