package dev.idempotency.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.lettuce.core.api.StatefulConnection;
import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.Job;
import dev.idempotency.core.JobQueue;
import dev.idempotency.core.JobTicket;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.JobTickets;
import dev.idempotency.store.RecordCodec;

/**
 * Queues in Redis: a stream with one consumer group for each, and beside it, in the same
 * cluster slot, a sorted set of the tickets that are not due yet. All gateways are one
 * consumer, since who holds a job is said by the lease in its record.
 *
 * <p>
 * Where one server has all keys, claim and ticket are one script. In a cluster they are
 * two steps, the ticket first: a crash in between leaves a ticket whose record never
 * comes.
 */
final class RedisJobQueue implements JobQueue {

	/** A queue nobody has touched for so long is gone, in milliseconds. */
	static final long LIFE = Duration.ofDays(40).toMillis();

	private static final byte[] NO_LIMIT = RedisRecords.number(Integer.MAX_VALUE);

	private final RedisIdempotencyStore store;

	private final RedisLink link;

	private final String prefix;

	RedisJobQueue(RedisIdempotencyStore store, RedisLink link, String keyPrefix) {
		this.store = store;
		this.link = link;
		this.prefix = keyPrefix;
	}

	@Override
	public Mono<Submission> submit(RecordId id, IdempotencyRecord claim, int limit) {
		return Mono.defer(() -> {
			Job job = claim.job();
			if (job == null) {
				return Mono.error(new IllegalArgumentException("only a job can be submitted"));
			}
			JobTicket ticket = new JobTicket(job.id(), 0, job.created());
			return isCluster() ? inTwoSteps(id, claim, job.route(), ticket, limit)
					: this.store.submit(id, claim, keys(job.route()), octets(ticket), limit);
		});
	}

	@Override
	public Mono<Void> offer(String queue, JobTicket ticket, Duration delay) {
		return number(RedisScript.JOBS_OFFER, queue, octets(ticket), millis(delay), NO_LIMIT, life()).then();
	}

	@Override
	public Mono<List<Taken>> take(String queue, int atMost, Duration hold) {
		return this.link
			.limited(Mono.defer(() -> RedisWire.list(connection(), RedisScript.JOBS_TAKE, keys(queue),
					RedisRecords.number(atMost), millis(hold), life())))
			.map(RedisJobQueue::taken);
	}

	@Override
	public Mono<Void> putBack(String queue, Taken taken, JobTicket instead, Duration delay) {
		return number(RedisScript.JOBS_DISPOSE, queue, ascii(taken.handle()), life(), octets(instead), millis(delay))
			.then();
	}

	@Override
	public Mono<Void> dispose(String queue, Taken taken) {
		return number(RedisScript.JOBS_DISPOSE, queue, ascii(taken.handle()), life()).then();
	}

	@Override
	public Mono<Long> size(String queue) {
		return number(RedisScript.JOBS_SIZE, queue);
	}

	private boolean isCluster() {
		RedisServerFacts facts = this.link.facts();
		return facts != null && facts.topology().equals(RedisEndpoint.Topology.CLUSTER.toString());
	}

	/** A ticket whose claim was not won is left to the one who takes it. */
	private Mono<Submission> inTwoSteps(RecordId id, IdempotencyRecord claim, String route, JobTicket ticket,
			int limit) {
		return number(RedisScript.JOBS_OFFER, route, octets(ticket), millis(Duration.ZERO), RedisRecords.number(limit),
				life())
			.flatMap((room) -> (room == 1) ? this.store.claim(id, claim).map(Submission.Answered::new)
					: Mono.just(new Submission.Full()));
	}

	private Mono<Long> number(RedisScript script, String queue, byte[]... values) {
		return this.link.limited(Mono.defer(() -> RedisWire.number(connection(), script, keys(queue), values)));
	}

	private StatefulConnection<byte[], byte[]> connection() {
		return this.link.session().connection();
	}

	private List<byte[]> keys(String queue) {
		String name = this.prefix + "{jobs:" + queue + "}";
		return List.of(name.getBytes(StandardCharsets.UTF_8), (name + ":later").getBytes(StandardCharsets.UTF_8));
	}

	private static List<Taken> taken(List<Object> reply) {
		List<Taken> taken = new ArrayList<>(reply.size() / 2);
		for (int i = 0; i + 1 < reply.size(); i += 2) {
			JobTicket ticket = JobTickets.read(text(reply.get(i + 1)));
			if (ticket != null) {
				taken.add(new Taken(ticket, text(reply.get(i))));
			}
		}
		return taken;
	}

	private static String text(Object octets) {
		return new String((byte[]) octets, StandardCharsets.UTF_8);
	}

	private static byte[] octets(JobTicket ticket) {
		return ascii(JobTickets.write(ticket));
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	private static byte[] millis(Duration time) {
		return RedisRecords.number(RecordCodec.millis(time));
	}

	private static byte[] life() {
		return RedisRecords.number(LIFE);
	}

}
