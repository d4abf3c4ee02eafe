package dev.idempotency.store.postgres;

import java.time.Duration;
import java.util.HexFormat;
import java.util.function.Function;
import java.util.function.Supplier;

import io.r2dbc.spi.Row;
import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoreUnavailableException;
import dev.idempotency.store.ClaimSteps;
import dev.idempotency.store.Met;
import dev.idempotency.store.PendingClaim;
import dev.idempotency.store.RecordCodec;

/** Single steps on records: each is one statement, or few where a row has changed. */
final class PostgresRecords implements ClaimSteps {

	/** How often a row may change between two statements of one step. */
	private static final int TRIES = 4;

	/** Tells a room's row from the record it stands beside. */
	private static final byte ROOM = 'r';

	private static final Function<Row, Boolean> DONE = (row) -> true;

	private final PostgresLink link;

	private final PostgresSql sql;

	PostgresRecords(PostgresLink link) {
		this.link = link;
		this.sql = link.sql();
	}

	@Override
	public Mono<Met> claim(PendingClaim pending) {
		return claimBy(pending, this.sql.claim(), PostgresRecords::met, values(pending.id(), pending.claim()))
			.defaultIfEmpty(new Met.Nothing());
	}

	/** Writes the claim of a job and its ticket together. */
	Mono<Met> submit(PendingClaim pending, String queue, String ticket, int limit) {
		return submit(pending, queue, ticket, limit, TRIES);
	}

	private Mono<Met> submit(PendingClaim pending, String queue, String ticket, int limit, int tries) {
		return claimBy(pending, this.sql.submit(), PostgresRecords::submitted,
				and(values(pending.id(), pending.claim()), queue, ticket, (long) limit))
			.switchIfEmpty(Mono.defer(() -> {
				pending.notApplied();
				return again(tries, () -> submit(pending, queue, ticket, limit, tries - 1));
			}));
	}

	@Override
	public Mono<Met> takeOver(PendingClaim pending, IdempotencyRecord seen) {
		return claimBy(pending, this.sql.takeOver(), PostgresRecords::written,
				and(values(pending.id(), pending.claim()), seen.owner().bytes(), number(seen.state())))
			.switchIfEmpty(Mono.defer(() -> look(pending.id())));
	}

	@Override
	public Mono<Met> adopt(PendingClaim pending, OwnerToken withdrawn) {
		return claimBy(pending, this.sql.replaceClaim(), PostgresRecords::written,
				and(values(pending.id(), pending.claim()), withdrawn.bytes()))
			.defaultIfEmpty(new Met.Nothing());
	}

	@Override
	public Mono<Boolean> restore(RecordId id, OwnerToken withdrawn, IdempotencyRecord before, Duration life) {
		return run(this.sql.replaceClaim(), DONE, and(values(id, before, life), withdrawn.bytes()))
			.defaultIfEmpty(false);
	}

	@Override
	public Mono<Met> look(RecordId id) {
		return run(this.sql.look(), PostgresRecords::met, key(id)).defaultIfEmpty(new Met.Nothing());
	}

	@Override
	public Mono<Ownership> release(RecordId id, OwnerToken owner) {
		return run(this.sql.release(), DONE, key(id), owner.bytes()).map((deleted) -> Ownership.OURS)
			.switchIfEmpty(Mono.defer(() -> owns(id, owner)).defaultIfEmpty(Ownership.OURS));
	}

	Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
		return renew(id, claim, TRIES);
	}

	private Mono<Ownership> renew(RecordId id, IdempotencyRecord claim, int tries) {
		long lease = RecordCodec.millis(claim.lease());
		long life = RecordCodec.millis(claim.lifetime());
		return run(this.sql.renew(), DONE, key(id), claim.owner().bytes(), lease, life)
			.switchIfEmpty(Mono.defer(() -> run(this.sql.write(), DONE, values(id, claim))))
			.map((written) -> Ownership.OURS)
			.switchIfEmpty(Mono.defer(() -> owns(id, claim.owner())))
			.switchIfEmpty(again(tries, () -> renew(id, claim, tries - 1)));
	}

	Mono<Ownership> settle(RecordId id, IdempotencyRecord settled) {
		return settle(id, settled, TRIES);
	}

	private Mono<Ownership> settle(RecordId id, IdempotencyRecord settled, int tries) {
		return run(this.sql.settle(), DONE, values(id, settled)).map((written) -> Ownership.OURS)
			.switchIfEmpty(Mono.defer(() -> owns(id, settled.owner())))
			.switchIfEmpty(again(tries, () -> settle(id, settled, tries - 1)));
	}

	Mono<Ownership> forget(RecordId id, OwnerToken seen) {
		return run(this.sql.forget(), DONE, key(id), seen.bytes()).map((deleted) -> Ownership.OURS)
			.switchIfEmpty(
					Mono.defer(() -> owns(id, seen)).map((ours) -> Ownership.FENCED).defaultIfEmpty(Ownership.OURS));
	}

	/** Writes a copy where nothing stands. */
	Mono<Boolean> put(RecordId id, IdempotencyRecord record, Duration life) {
		return run(this.sql.write(), DONE, values(id, record, life)).defaultIfEmpty(false);
	}

	/** Writes a copy in the place of another record. */
	Mono<Boolean> replace(RecordId id, OwnerToken owner, State state, IdempotencyRecord record, Duration life) {
		return run(this.sql.replace(), DONE, and(values(id, record, life), owner.bytes(), number(state)))
			.defaultIfEmpty(false);
	}

	/** The room beside a record: whoever has its row is in it. */
	Mono<Boolean> enter(RecordId id, OwnerToken visitor, Duration atMost) {
		long life = RecordCodec.millis(atMost);
		return run(this.sql.write(), DONE, room(id), visitor.bytes(), (short) 0, new byte[0], life, life)
			.defaultIfEmpty(false);
	}

	Mono<Void> leave(RecordId id, OwnerToken visitor) {
		return run(this.sql.leave(), DONE, room(id), visitor.bytes()).then();
	}

	/** Deletes some expired rows. */
	Mono<Long> sweep(int atMost) {
		return run(this.sql.sweep(), (row) -> row.get(0, Long.class), (long) atMost);
	}

	/** Empty if no record is there. */
	private Mono<Ownership> owns(RecordId id, OwnerToken owner) {
		return run(this.sql.owns(), (row) -> Boolean.TRUE.equals(row.get(0, Boolean.class)), key(id), owner.bytes())
			.map((ours) -> ours ? Ownership.OURS : Ownership.FENCED);
	}

	private static <T> Mono<T> again(int tries, Supplier<Mono<T>> step) {
		return (tries > 0) ? Mono.defer(step)
				: Mono.error(new StoreUnavailableException("The record changed at each try", null));
	}

	private <T> Mono<T> run(String statement, Function<Row, T> mapping, Object... values) {
		return this.link.run(statement, mapping, values);
	}

	/** A statement that may write a claim. */
	private Mono<Met> claimBy(PendingClaim pending, String statement, Function<Row, Met> mapping, Object... values) {
		return Mono.defer(() -> this.link.session().run(pending::sent, statement, mapping, values))
			.retryWhen(PostgresLink.COLLISIONS)
			.doOnError(PostgresFailures::isRefusal, (refusal) -> pending.notApplied());
	}

	private static Met written(Row row) {
		return new Met.Written();
	}

	private static Met submitted(Row row) {
		return Boolean.TRUE.equals(row.get(2, Boolean.class)) ? met(row) : new Met.NoRoom();
	}

	private static Met met(Row row) {
		byte[] octets = row.get(0, byte[].class);
		Long remaining = row.get(1, Long.class);
		return (octets != null && remaining != null) ? new Met.Present(octets, Duration.ofMillis(remaining))
				: new Met.Written();
	}

	private static Object[] values(RecordId id, IdempotencyRecord record) {
		return values(id, record, record.lifetime());
	}

	private static Object[] values(RecordId id, IdempotencyRecord record, Duration life) {
		long left = Math.max(1, RecordCodec.millis(life));
		long silent = RecordCodec.millis(record.lifetime()) - left;
		return new Object[] { key(id), record.owner().bytes(), number(record.state()), RecordCodec.encode(record),
				RecordCodec.millis(record.lease()) - silent, left };
	}

	private static Object[] and(Object[] values, Object... more) {
		Object[] all = new Object[values.length + more.length];
		System.arraycopy(values, 0, all, 0, values.length);
		System.arraycopy(more, 0, all, values.length, more.length);
		return all;
	}

	private static short number(State state) {
		return (short) (state.ordinal() + 1);
	}

	private static byte[] key(RecordId id) {
		return HexFormat.of().parseHex(id.digest());
	}

	private static byte[] room(RecordId id) {
		byte[] key = key(id);
		byte[] room = java.util.Arrays.copyOf(key, key.length + 1);
		room[key.length] = ROOM;
		return room;
	}

}
