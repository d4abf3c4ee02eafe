package dev.idempotency.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.Job;
import dev.idempotency.core.JobId;
import dev.idempotency.core.JobOwner;
import dev.idempotency.core.JobRequest;
import dev.idempotency.core.StoredResponse.Header;

/**
 * The part of a record that only a job has, behind the answer.
 *
 * <pre>
 *   id, route, source and digest of the owner       texts
 *   created, started, ended                         6 octets each, milliseconds, 0 for never
 *   death                                           1 octet, 0 for none
 *   last outcome, callback                          texts, empty for none
 *   attempts before the last redrive                variable
 *   request                                         1 octet whether it follows: method, URI, remote address,
 *                                                   key, lines, path variables, body
 * </pre>
 */
final class JobCodec {

	/** Octets of a job without its request, roughly. */
	static final int OVERHEAD = 256;

	private JobCodec() {
	}

	static void write(RecordWriter out, Job job) {
		out.text(job.id().toString()).text(job.route()).text(job.owner().source()).text(job.owner().digest());
		out.fixed(6, millis(job.created())).fixed(6, millis(job.started())).fixed(6, millis(job.ended()));
		out.fixed(1, (job.dead() != null) ? job.dead().ordinal() + 1 : 0);
		out.text(orEmpty(job.lastOutcome())).text(orEmpty(job.callback()));
		out.number(job.attemptsBefore());
		JobRequest request = job.request();
		out.fixed(1, (request != null) ? 1 : 0);
		if (request != null) {
			write(out, request);
		}
	}

	private static void write(RecordWriter out, JobRequest request) {
		out.text(request.method()).text(request.uri()).text(orEmpty(request.remote())).text(request.key());
		out.number(request.headers().size());
		request.headers().forEach((header) -> out.text(header.name()).text(header.value()));
		out.number(request.variables().size());
		request.variables().forEach((name, value) -> out.text(name).text(value));
		out.number(request.body().length).octets(request.body());
	}

	/** Writes a request apart from its job, for what encrypts it. */
	static byte[] encodeRequest(JobRequest request) {
		RecordWriter out = new RecordWriter(OVERHEAD + request.size());
		write(out, request);
		return out.written();
	}

	/** Reads one that was written so. */
	static JobRequest decodeRequest(byte[] octets) {
		try {
			return request(ByteBuffer.wrap(octets));
		}
		catch (BufferUnderflowException ex) {
			throw new UnreadableRecordException("its request ends too early");
		}
	}

	static Job read(ByteBuffer in) {
		JobId id = JobId.parse(RecordCodec.text(in));
		if (id == null) {
			throw new UnreadableRecordException("its job has no name");
		}
		String route = RecordCodec.text(in);
		JobOwner owner = new JobOwner(RecordCodec.text(in), RecordCodec.text(in));
		Instant created = Instant.ofEpochMilli(millis(in));
		Instant started = time(in);
		Instant ended = time(in);
		Job.Death dead = death(in.get());
		String lastOutcome = orNull(RecordCodec.text(in));
		String callback = orNull(RecordCodec.text(in));
		int attemptsBefore = RecordCodec.number(in);
		return new Job(id, route, owner, created, started, ended, lastOutcome, dead, callback,
				(in.get() != 0) ? request(in) : null, attemptsBefore);
	}

	private static JobRequest request(ByteBuffer in) {
		String method = RecordCodec.text(in);
		String uri = RecordCodec.text(in);
		String remote = orNull(RecordCodec.text(in));
		String key = RecordCodec.text(in);
		int lines = RecordCodec.number(in);
		List<Header> headers = new ArrayList<>(Math.min(lines, 64));
		for (int line = 0; line < lines; line++) {
			headers.add(new Header(RecordCodec.text(in), RecordCodec.text(in)));
		}
		int names = RecordCodec.number(in);
		Map<String, String> variables = new LinkedHashMap<>();
		for (int name = 0; name < names; name++) {
			variables.put(RecordCodec.text(in), RecordCodec.text(in));
		}
		return new JobRequest(method, uri, headers, RecordCodec.octets(in, RecordCodec.number(in)), remote, variables,
				key);
	}

	private static Job.@Nullable Death death(int octet) {
		Job.Death[] deaths = Job.Death.values();
		if (octet < 0 || octet > deaths.length) {
			throw new UnreadableRecordException("its job died in a way that is not known here");
		}
		return (octet == 0) ? null : deaths[octet - 1];
	}

	private static @Nullable Instant time(ByteBuffer in) {
		long millis = millis(in);
		return (millis != 0) ? Instant.ofEpochMilli(millis) : null;
	}

	private static long millis(ByteBuffer in) {
		return ((long) in.getShort() & 0xFFFF) << 32 | (in.getInt() & 0xFFFF_FFFFL);
	}

	private static long millis(@Nullable Instant time) {
		return (time != null) ? time.toEpochMilli() : 0;
	}

	private static String orEmpty(@Nullable String text) {
		return (text != null) ? text : "";
	}

	private static @Nullable String orNull(String text) {
		return text.isEmpty() ? null : text;
	}

}
