package dev.idempotency.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.RedisCommand;
import reactor.core.publisher.Mono;

import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.Met;
import dev.idempotency.store.PendingClaim;
import dev.idempotency.store.RecordCodec;

/** The commands by which a free key is claimed, sent together: one round trip. */
final class ClaimBatch {

	private final List<RedisCommand<byte[], byte[], ?>> commands = new ArrayList<>(3);

	private final PendingClaim pending;

	private final Mono<Met> met;

	/**
	 * A batch that has not been sent.
	 * @param pending the claim
	 * @param key name of its record
	 * @param facts what the server understands
	 */
	ClaimBatch(PendingClaim pending, byte[] key, RedisServerFacts facts) {
		this.pending = pending;
		byte[] value = RecordCodec.encode(pending.claim());
		long life = RecordCodec.millis(pending.claim().lifetime());
		this.met = facts.setsAndGets() ? inOne(key, value, life) : inTwo(key, value, life);
	}

	Mono<Met> send(Consumer<List<RedisCommand<byte[], byte[], ?>>> dispatch) {
		this.pending.sent();
		dispatch.accept(this.commands);
		return this.met;
	}

	/** A claim that too few replicas have by then does not count. */
	Mono<Met> sendAndWait(Consumer<List<RedisCommand<byte[], byte[], ?>>> dispatch, int replicas, long millis) {
		AsyncCommand<byte[], byte[], Long> copies = added(RedisWire.waitFor(replicas, millis));
		return send(dispatch).flatMap((result) -> (result instanceof Met.Written)
				? Mono.fromCompletionStage(copies).map((count) -> enough(count, replicas)) : Mono.just(result));
	}

	static Met enough(long copies, int replicas) {
		if (copies < replicas) {
			throw new StoreUnavailableException("Only " + copies + " of " + replicas + " replicas have the claim",
					null);
		}
		return new Met.Written();
	}

	private Mono<Met> inOne(byte[] key, byte[] value, long life) {
		AsyncCommand<byte[], byte[], byte[]> set = added(RedisWire.setIfAbsentAndGet(key, value, life));
		return RedisWire
			.<byte[], Met>reply(set,
					(present) -> (present != null) ? new Met.Present(present, null) : new Met.Written())
			.doOnError(RedisFailures::leavesNoDoubt, (refusal) -> this.pending.notApplied());
	}

	/** Before Redis 7.0, which knows no {@code NX} with {@code GET}. */
	private Mono<Met> inTwo(byte[] key, byte[] value, long life) {
		AsyncCommand<byte[], byte[], String> set = added(RedisWire.setIfAbsent(key, value, life));
		AsyncCommand<byte[], byte[], byte[]> get = added(RedisWire.get(key));
		return RedisWire.reply(set, Objects::nonNull)
			.doOnError(RedisFailures::leavesNoDoubt, (refusal) -> this.pending.notApplied())
			.flatMap((written) -> written ? Mono.just(new Met.Written()) : RedisWire.<byte[], Met>reply(get,
					(present) -> (present != null) ? new Met.Present(present, null) : new Met.Nothing()));
	}

	private <C extends RedisCommand<byte[], byte[], ?>> C added(C command) {
		this.commands.add(command);
		return command;
	}

}
