package dev.idempotency.observability;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import org.jspecify.annotations.Nullable;

/**
 * The trace of the execution that a record tells of, for the spans of its replays. It is
 * kept as the last line of the stored answer, under a name that no backend can send since
 * a colon must not begin one (RFC 9110, section 5.1), and taken off as soon as the record
 * is read again.
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits
 * @since 0.1.0
 */
public record TraceOrigin(String traceId, String spanId) {

	private static final String LINE = ":trace";

	private static final Pattern WRITTEN = Pattern.compile("[0-9a-f]{32}-[0-9a-f]{16}");

	private static final int TRACE_ID = 32;

	/** The record with this line. Without an answer there is nothing to replay. */
	IdempotencyRecord on(IdempotencyRecord record) {
		StoredResponse response = record.response();
		if (response == null) {
			return record;
		}
		List<Header> lines = new ArrayList<>(response.headers());
		lines.add(new Header(LINE, this.traceId + "-" + this.spanId));
		return record.withResponse(new StoredResponse(response.status(), lines, response.body()));
	}

	/** What a claim met points to, {@code null} if it says nothing of it. */
	static @Nullable TraceOrigin of(@Nullable Claim claim) {
		IdempotencyRecord record = recordOf(claim);
		Header line = (record != null) ? line(record) : null;
		return (line != null && WRITTEN.matcher(line.value()).matches())
				? new TraceOrigin(line.value().substring(0, TRACE_ID), line.value().substring(TRACE_ID + 1)) : null;
	}

	/** What was met, without the line. */
	static Claim removedFrom(Claim claim) {
		IdempotencyRecord record = recordOf(claim);
		if (record == null || line(record) == null) {
			return claim;
		}
		return (claim instanceof Claim.Finished finished) ? new Claim.Finished(without(record), finished.age())
				: new Claim.UnknownOutcome(without(record), ((Claim.UnknownOutcome) claim).age());
	}

	private static @Nullable IdempotencyRecord recordOf(@Nullable Claim claim) {
		if (claim instanceof Claim.Finished finished) {
			return finished.record();
		}
		return (claim instanceof Claim.UnknownOutcome unknown) ? unknown.record() : null;
	}

	private static @Nullable Header line(IdempotencyRecord record) {
		StoredResponse response = record.response();
		if (response == null || response.headers().isEmpty()) {
			return null;
		}
		Header last = response.headers().get(response.headers().size() - 1);
		return last.name().equals(LINE) ? last : null;
	}

	private static IdempotencyRecord without(IdempotencyRecord record) {
		StoredResponse response = record.response();
		if (response == null) {
			return record;
		}
		List<Header> lines = response.headers().subList(0, response.headers().size() - 1);
		return record.withResponse(new StoredResponse(response.status(), lines, response.body()));
	}

}
