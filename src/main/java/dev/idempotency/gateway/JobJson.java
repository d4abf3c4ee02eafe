package dev.idempotency.gateway;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.Answer;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobStatus;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Jobs as clients read them.
 *
 * @since 0.1.0
 */
public final class JobJson {

	private static final JsonFactory JSON = new JsonFactory();

	private JobJson() {
	}

	/** The answer to a request that is a job. */
	static StoredResponse accepted(Answer.Accepted accepted, String jobsPath) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
			out.writeStartObject();
			out.writeStringProperty("job_id", accepted.job().id().toString());
			out.writeStringProperty("status", accepted.status().name());
			out.writeEndObject();
		}
		List<Header> headers = new ArrayList<>();
		headers.add(new Header("Content-Type", "application/json"));
		headers.add(new Header("Location", jobsPath + "/" + accepted.job().id()));
		headers.add(new Header("Cache-Control", "no-store"));
		if (!accepted.status().isFinal()) {
			headers.add(new Header("Retry-After", "1"));
		}
		return new StoredResponse(202, headers, bytes.toByteArray());
	}

	/** A job on its own page. */
	static byte[] page(IdempotencyRecord record, Job job, String location) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
			out.writeStartObject();
			write(out, record, job);
			StoredResponse response = record.response();
			if (response != null && response.isReplayable() && JobStatus.of(record).isFinal()) {
				out.writeNumberProperty("result_status", response.status());
				out.writeStringProperty("result", location + "/result");
			}
			out.writeEndObject();
		}
		return bytes.toByteArray();
	}

	/**
	 * What there is to say of a job, within an object that was begun.
	 * @param out where to
	 * @param record its record
	 * @param job the job
	 */
	public static void write(JsonGenerator out, IdempotencyRecord record, Job job) {
		out.writeStringProperty("job_id", job.id().toString());
		out.writeStringProperty("status", JobStatus.of(record).name());
		out.writeNumberProperty("attempts", record.attempts());
		time(out, "created_at", job.created());
		time(out, "started_at", job.started());
		time(out, "ended_at", job.ended());
		if (JobStatus.of(record).isFinal()) {
			out.writeStringProperty("outcome", outcome(record));
		}
		if (job.dead() != null) {
			out.writeStringProperty("reason", job.dead().name().toLowerCase(Locale.ROOT).replace('_', '-'));
		}
	}

	private static String outcome(IdempotencyRecord record) {
		if (record.state() == State.UNKNOWN) {
			return "unknown";
		}
		return (JobStatus.of(record) == JobStatus.SUCCEEDED) ? "applied" : "not-applied";
	}

	private static void time(JsonGenerator out, String name, @Nullable Instant time) {
		if (time != null) {
			out.writeStringProperty(name, time.toString());
		}
	}

}
