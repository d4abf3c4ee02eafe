package dev.idempotency.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import dev.idempotency.core.Digests;
import dev.idempotency.core.Fingerprint;
import dev.idempotency.core.IdempotencyPolicy.Retention;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse.Header;
import dev.idempotency.core.StoredResponse;

/** Records for tests of stores. */
public final class RecordSamples {

	private static final Duration TTL = Duration.ofMinutes(10);

	private RecordSamples() {
	}

	/** An identity that is the same for the same name. */
	public static RecordId id(String name) {
		return RecordId.of(List.of("tests", name));
	}

	/** A fingerprint that is the same for the same content. */
	public static Fingerprint fingerprint(String content) {
		byte[] digest = Digests.sha256().digest(content.getBytes(StandardCharsets.UTF_8));
		return new Fingerprint(1, digest, digest);
	}

	/** A claim that is believed for long. */
	public static IdempotencyRecord claim(RecordId id) {
		return claim(id, Duration.ofSeconds(30));
	}

	/** A claim with a lease. */
	public static IdempotencyRecord claim(RecordId id, Duration lease) {
		return IdempotencyRecord.claim(id, fingerprint("body"), new Retention(TTL, TTL, lease));
	}

	/** A claim that lives for a short time only. */
	public static IdempotencyRecord claimLiving(RecordId id, Duration lifetime) {
		return IdempotencyRecord.claim(id, fingerprint("body"),
				new Retention(lifetime, lifetime, lifetime.dividedBy(4)));
	}

	/** What a claim becomes with an answer. */
	public static IdempotencyRecord done(IdempotencyRecord claim, String body) {
		return done(claim, body, TTL);
	}

	/** What a claim becomes with an answer that is kept for a time. */
	public static IdempotencyRecord done(IdempotencyRecord claim, String body, Duration keep) {
		return claim.settled(State.DONE, keep, 1, response(201, body));
	}

	/** What a claim becomes when nobody knows. */
	public static IdempotencyRecord unknown(IdempotencyRecord claim) {
		return claim.settled(State.UNKNOWN, TTL, 1, null);
	}

	/** An answer. */
	public static StoredResponse response(int status, String body) {
		return new StoredResponse(status, List.of(new Header("Content-Type", "text/plain"), new Header("X-Twice", "a"),
				new Header("X-Twice", "b")), body.getBytes(StandardCharsets.UTF_8));
	}

}
