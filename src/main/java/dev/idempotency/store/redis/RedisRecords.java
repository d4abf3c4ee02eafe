package dev.idempotency.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.ClaimSteps;
import dev.idempotency.store.Met;
import dev.idempotency.store.PendingClaim;
import dev.idempotency.store.RecordCodec;

/** Single steps on records: each is one command or one script, and touches one key. */
final class RedisRecords implements ClaimSteps {

	/** What is no string is no record either. */
	private static final Met NO_RECORD = new Met.Present(new byte[0], Duration.ZERO);

	private final RedisLink link;

	private final int replicas;

	private final long replicaLimit;

	private final String prefix;

	RedisRecords(RedisLink link, RedisStoreSettings settings) {
		this.link = link;
		this.replicas = settings.replicas();
		// The rest of the limit is for the way there and back.
		this.replicaLimit = Math.max(1, settings.timeout().toMillis() * 4 / 5);
		this.prefix = settings.keyPrefix();
	}

	@Override
	public Mono<Met> claim(PendingClaim pending) {
		return Mono.defer(() -> {
			RedisSession session = this.link.session();
			byte[] key = key(pending.id());
			return (this.replicas == 0) ? new ClaimBatch(pending, key, session.facts()).send(session::dispatch)
					: session.claimConnection(key)
						.flatMap((connection) -> new ClaimBatch(pending, key, session.facts())
							.sendAndWait(connection::dispatch, this.replicas, this.replicaLimit));
		}).onErrorReturn(RedisFailures::isWrongType, NO_RECORD);
	}

	/** Writes the claim of a job and its ticket together, where one server has both. */
	Mono<Met> submit(PendingClaim pending, List<byte[]> queue, byte[] ticket, int limit) {
		List<byte[]> keys = List.of(key(pending.id()), queue.get(0), queue.get(1));
		return claimBy(
				(connection) -> RedisWire
					.list(connection, RedisScript.JOBS_SUBMIT, keys, RecordCodec.encode(pending.claim()),
							life(pending.claim()), number(limit), ticket, number(RedisJobQueue.LIFE))
					.map((reply) -> (reply.size() == 1) ? new Met.NoRoom() : present(reply, new Met.Written())),
				pending)
			.onErrorReturn(RedisFailures::isWrongType, NO_RECORD);
	}

	@Override
	public Mono<Met> look(RecordId id) {
		return Mono.defer(() -> RedisWire.list(this.link.session().connection(), RedisScript.LOOK, key(id)))
			.map((reply) -> present(reply, new Met.Nothing()))
			.onErrorReturn(RedisFailures::isWrongType, NO_RECORD);
	}

	@Override
	public Mono<Met> takeOver(PendingClaim pending, IdempotencyRecord seen) {
		return claimBy((connection) -> RedisWire
			.list(connection, RedisScript.TAKE_OVER, key(pending.id()), seen.owner().bytes(), life(pending.claim()),
					RecordCodec.encode(pending.claim()), number(RecordCodec.octetOf(seen.state())))
			.map((reply) -> present(reply, new Met.Written())), pending)
			.onErrorReturn(RedisFailures::isWrongType, NO_RECORD);
	}

	@Override
	public Mono<Met> adopt(PendingClaim pending, OwnerToken withdrawn) {
		return claimBy((connection) -> RedisWire
			.number(connection, RedisScript.REPLACE, key(pending.id()), withdrawn.bytes(), life(pending.claim()),
					RecordCodec.encode(pending.claim()))
			.map((replaced) -> (replaced == 1) ? new Met.Written() : new Met.Nothing()), pending);
	}

	@Override
	public Mono<Boolean> restore(RecordId id, OwnerToken withdrawn, IdempotencyRecord before, Duration life) {
		return Mono
			.defer(() -> RedisWire.number(this.link.session().connection(), RedisScript.REPLACE, key(id),
					withdrawn.bytes(), digits(life), RecordCodec.encode(before)))
			.map((replaced) -> replaced == 1);
	}

	/**
	 * Copies a record here.
	 * @return whether what stood here was as it was seen, and the copy was written
	 */
	Mono<Boolean> put(RecordId id, @Nullable IdempotencyRecord seen, IdempotencyRecord record, Duration life) {
		return Mono
			.defer(() -> RedisWire.number(this.link.session().connection(), RedisScript.PUT, key(id), head(seen),
					digits(life), RecordCodec.encode(record)))
			.map((written) -> written == 1)
			.onErrorReturn(RedisFailures::isWrongType, false);
	}

	Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
		return owned(RedisScript.RENEW, id, claim.owner().bytes(), life(claim), RecordCodec.encode(claim));
	}

	Mono<Ownership> settle(RecordId id, IdempotencyRecord settled) {
		return owned(RedisScript.SETTLE, id, settled.owner().bytes(), life(settled), RecordCodec.encode(settled));
	}

	@Override
	public Mono<Ownership> release(RecordId id, OwnerToken owner) {
		return owned(RedisScript.RELEASE, id, owner.bytes());
	}

	Mono<Ownership> forget(RecordId id, OwnerToken seen) {
		return owned(RedisScript.FORGET, id, seen.bytes());
	}

	/** The room beside a record: whoever sets its key is in it. */
	Mono<Boolean> enter(RecordId id, OwnerToken visitor, Duration atMost) {
		return Mono.defer(() -> RedisWire.send(this.link.session().connection(),
				() -> RedisWire.setIfAbsent(room(id), visitor.bytes(), RecordCodec.millis(atMost))))
			.hasElement();
	}

	Mono<Void> leave(RecordId id, OwnerToken visitor) {
		return Mono.defer(
				() -> RedisWire.number(this.link.session().connection(), RedisScript.LEAVE, room(id), visitor.bytes()))
			.then();
	}

	private Mono<Ownership> owned(RedisScript script, RecordId id, byte[]... values) {
		return Mono.defer(() -> RedisWire.number(this.link.session().connection(), script, key(id), values))
			.map((ours) -> (ours == 1) ? Ownership.OURS : Ownership.FENCED)
			.onErrorReturn(RedisFailures::isWrongType, Ownership.FENCED);
	}

	/** A script that may write a claim. */
	private Mono<Met> claimBy(Function<StatefulConnection<byte[], byte[]>, Mono<Met>> script, PendingClaim pending) {
		return Mono.defer(() -> {
			RedisSession session = this.link.session();
			return (this.replicas == 0) ? sent(script, session.connection(), pending)
					: session.claimConnection(key(pending.id()))
						.flatMap((connection) -> sent(script, connection, pending)
							.flatMap((met) -> awaitReplicas(connection, met)));
		});
	}

	private static Mono<Met> sent(Function<StatefulConnection<byte[], byte[]>, Mono<Met>> script,
			StatefulConnection<byte[], byte[]> connection, PendingClaim pending) {
		pending.sent();
		return script.apply(connection).doOnError(RedisFailures::leavesNoDoubt, (refusal) -> pending.notApplied());
	}

	private Mono<Met> awaitReplicas(StatefulConnection<byte[], byte[]> connection, Met met) {
		return (met instanceof Met.Written)
				? RedisWire.send(connection, () -> RedisWire.waitFor(this.replicas, this.replicaLimit))
					.map((copies) -> ClaimBatch.enough(copies, this.replicas))
				: Mono.just(met);
	}

	/** Braces put whatever else belongs to a record into its cluster slot. */
	private byte[] key(RecordId id) {
		return (this.prefix + '{' + id.digest() + '}').getBytes(StandardCharsets.UTF_8);
	}

	private byte[] room(RecordId id) {
		return (this.prefix + '{' + id.digest() + "}:room").getBytes(StandardCharsets.UTF_8);
	}

	private static Met present(List<Object> reply, Met otherwise) {
		return reply.isEmpty() ? otherwise
				: new Met.Present((byte[]) reply.get(0), Duration.ofMillis((Long) reply.get(1)));
	}

	/** State and owner, which stand side by side. */
	private static byte[] head(@Nullable IdempotencyRecord seen) {
		return (seen != null) ? Arrays.copyOfRange(RecordCodec.encode(seen), RecordCodec.STATE_OFFSET,
				RecordCodec.OWNER_OFFSET + OwnerToken.LENGTH) : new byte[0];
	}

	private static byte[] life(IdempotencyRecord record) {
		return digits(record.lifetime());
	}

	private static byte[] digits(Duration time) {
		return number(Math.max(1, RecordCodec.millis(time)));
	}

	static byte[] number(long number) {
		return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
	}

}
