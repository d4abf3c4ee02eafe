package dev.idempotency.observability;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.JobStatus;
import dev.idempotency.core.StoredResponse;

/** One record as operators read it: neither headers nor content of its answer. */
final class RecordView {

	private RecordView() {
	}

	static Map<String, Object> of(Claim claim) {
		Map<String, Object> view = new LinkedHashMap<>();
		if (claim instanceof Claim.Running running) {
			view.put("state", "running");
			view.put("age", running.record().lease().minus(running.leaseLeft()).toString());
			view.put("leaseLeft", running.leaseLeft().toString());
			put(view, running.record());
		}
		else if (claim instanceof Claim.Finished finished) {
			view.put("state", "done");
			view.put("age", finished.age().toString());
			put(view, finished.record());
		}
		else if (claim instanceof Claim.UnknownOutcome unknown) {
			view.put("state", unknown.lapsed() ? "lapsed" : "unknown");
			view.put("age", unknown.age().toString());
			put(view, unknown.record());
		}
		else if (claim instanceof Claim.AtRest rest) {
			view.put("state", rest.record().state().name().toLowerCase(Locale.ROOT));
			view.put("age", rest.age().toString());
			put(view, rest.record());
		}
		else if (claim instanceof Claim.Unreadable unreadable) {
			view.put("state", "unreadable");
			view.put("reason", unreadable.reason());
		}
		return view;
	}

	private static void put(Map<String, Object> view, IdempotencyRecord record) {
		view.put("attempts", record.attempts());
		view.put("fingerprint", record.fingerprint().toString());
		if (record.job() != null) {
			view.put("job", JobStatus.of(record).name());
		}
		StoredResponse response = record.response();
		if (response != null) {
			view.put("status", response.status());
			view.put("replayable", response.isReplayable());
		}
	}

}
